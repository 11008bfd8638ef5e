package io.testudo.mutex.dht.sigma;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.DhtBackend;
import io.testudo.mutex.dht.ReplicaKeys;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.sigma.Check;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.mutex.sigma.Response;
import io.testudo.mutex.sigma.SigmaClient;
import io.testudo.mutex.sigma.SigmaRelease;
import io.testudo.mutex.sigma.SigmaRequest;
import io.testudo.mutex.sigma.SigmaServer;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sigma in a distributed hash table: the client machine of Sigma, whose servers are the logical
 * replicas of each lock, and a server machine for each index of which this node is a replica. Two
 * indices of one lock may be at one node, and are two servers all the same.
 */
public final class SigmaBackend extends Part<NodeId> implements DhtBackend {
  /** The slot of the client machine; those of servers follow. */
  private static final int CLIENT_SLOT = 0;

  private static final int HEX = 16;

  private final Overlay overlay;
  private final Thresholds thresholds;
  private final LockTiming timing;
  private final SigmaTuning tuning;
  private final boolean routed;
  private final Entropy entropy;
  private final ReplicaDirectory directory;
  private final SigmaClient client;
  private final long session;
  private @Nullable HostedMachine<ServerId> hostedClient;
  private final Map<Integer, HostedMachine<ClientId>> servers = new TreeMap<>();
  private final Map<Integer, SigmaServer> serverMachines = new TreeMap<>();

  /**
   * Makes the part.
   *
   * @param thresholds m of the r replicas of each lock
   * @param routed whether every message goes through the overlay; else replicas are looked up once
   *     and talked to directly, as in the 2004 paper
   */
  public SigmaBackend(
      Part<NodeId> node,
      Overlay overlay,
      Thresholds thresholds,
      LockTiming timing,
      SigmaTuning tuning,
      boolean routed,
      Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.thresholds = thresholds;
    this.timing = timing;
    this.tuning = tuning;
    this.routed = routed;
    this.entropy = entropy;
    this.session = entropy.nextLong();
    this.directory = new ReplicaDirectory(this, overlay);
    this.client = new SigmaClient(thresholds, timing, tuning, entropy);
    onCall(Acquire.class, this::call);
    onCall(ReleaseCall.class, this::call);
    onCall(RenewCall.class, this::call);
    onMessage(ToReplica.class, (from, message) -> onRequest(message));
    onMessage(FromReplica.class, this::onAnswer);
    onTimer(HostedMachine.Timer.class, this::onTimer);
  }

  @Override
  public void start() {
    hostedClient = new HostedMachine<>(this, CLIENT_SLOT, client, this::sendToReplica);
  }

  private HostedMachine<ServerId> client() {
    if (hostedClient == null) {
      throw new IllegalStateException("the node has not started");
    }
    return hostedClient;
  }

  private <R> void call(CallId<R> id, Call<R> call) {
    client().step(new Input.Called<>(id, call));
  }

  @Override
  public void cancelled(CallId<?> call) {
    client().step(new Input.Cancelled<>(call));
  }

  private void sendToReplica(ServerId server, Message message) {
    SigmaRequest request = (SigmaRequest) message;
    ToReplica letter = new ToReplica(overlay.self(), session, server.index(), request);
    if (routed) {
      overlay.route(ReplicaKeys.of(request.lock(), server.index()), letter);
    } else {
      directory.send(letter, !(request instanceof SigmaRelease));
    }
  }

  private void onAnswer(NodeId from, FromReplica answer) {
    if (answer.session() != session || !client().handles(answer.answer())) {
      return;
    }
    String lock = lockOf(answer.answer());
    if (lock != null) {
      directory.heard(from, lock, answer.index());
    }
    if (answer.index() >= 0 && answer.index() < thresholds.servers()) {
      client().step(new Input.Received<>(new ServerId(answer.index()), answer.answer()));
    }
  }

  private static @Nullable String lockOf(Message answer) {
    if (answer instanceof Response response) {
      return response.lock();
    }
    return answer instanceof Check check ? check.lock() : null;
  }

  /** A message to a replica that should be here. */
  private void onRequest(ToReplica letter) {
    SigmaRequest request = letter.request();
    boolean isHere = overlay.owns(ReplicaKeys.of(request.lock(), letter.index()));
    HostedMachine<ClientId> server = servers.get(letter.index());
    // A release may come to one that is a replica no more: it is no use to anybody to keep it out.
    if (!isHere && !(request instanceof SigmaRelease && server != null)) {
      send(letter.client(), new NotHere(request.lock(), letter.index()));
      return;
    }
    server(letter.index()).step(new Input.Received<>(clientId(letter), request));
  }

  private static ClientId clientId(ToReplica letter) {
    return new ClientId(Long.toHexString(letter.client().bits()), letter.session(), 0);
  }

  private HostedMachine<ClientId> server(int index) {
    HostedMachine<ClientId> known = servers.get(index);
    if (known != null) {
      return known;
    }
    SigmaServer machine =
        new SigmaServer(timing, tuning, LockScope.everything(), entropy.fork(index));
    HostedMachine<ClientId> fresh =
        new HostedMachine<>(
            this,
            CLIENT_SLOT + 1 + index,
            machine,
            (client, message) -> answer(index, client, message));
    servers.put(index, fresh);
    serverMachines.put(index, machine);
    return fresh;
  }

  /**
   * A replica that went elsewhere says nothing here any more: who waits for its vote would get one
   * here, and another there.
   */
  private void answer(int index, ClientId client, Message message) {
    String lock = lockOf(message);
    if (lock == null || overlay.owns(ReplicaKeys.of(lock, index))) {
      send(
          new NodeId(Long.parseUnsignedLong(client.principal(), HEX)),
          new FromReplica(client.session(), index, message));
    }
  }

  private void onTimer(HostedMachine.Timer timer) {
    if (timer.slot() == CLIENT_SLOT) {
      client().step(new Input.TimerFired<>(timer.key()));
      return;
    }
    HostedMachine<ClientId> server = servers.get(timer.slot() - CLIENT_SLOT - 1);
    if (server != null) {
      server.step(new Input.TimerFired<>(timer.key()));
    }
  }

  /** {@inheritDoc} Hops have nothing to say to Sigma. */
  @Override
  public boolean forward(long key, Message payload, @Nullable NodeId previous, NodeId next) {
    return true;
  }

  @Override
  public void deliver(long key, Message payload) {
    if (payload instanceof Locate locate) {
      send(locate.asker(), new Located(locate.lock(), locate.index()));
    } else if (payload instanceof ToReplica letter) {
      onRequest(letter);
    }
  }

  @Override
  public ImmutableMap<Integer, GrantId> grants(String lock, long token, Moment now) {
    ImmutableMap.Builder<Integer, GrantId> grants = ImmutableMap.builder();
    client.grants(lock, token).forEach((server, grant) -> grants.put(server.index(), grant));
    return grants.buildOrThrow();
  }

  @Override
  public int entries() {
    return serverMachines.values().stream()
        .mapToInt(
            server ->
                (int)
                    server.lockNames().stream()
                        .filter(name -> server.view(name).orElseThrow().owner().isPresent())
                        .count())
        .sum();
  }
}
