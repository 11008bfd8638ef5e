package io.testudo.mutex.dht.ring;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.ServerKeyring;
import io.testudo.quorum.embedded.LoopbackPorts;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyPeer;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.netty.ServerLoops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A ring in this process: members on free ports of the loopback address, on one thread, with keys
 * that are drawn anew. For tests, examples and {@code testudo ring}.
 */
public final class EmbeddedRing implements AutoCloseable {
  /** The name of such rings, which their keys are for. */
  public static final String NAME = "embedded-ring";

  private static final ImmutableSet<Right> OF_MEMBERS =
      ImmutableSet.of(Right.LOCK, Right.ADMINISTER);

  /** Generous: a hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 60;

  private static final int ENTRANCES = 3;

  private final RingProtocol protocol;
  private final LinkLimits limits;
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final ServerLoops loops = ServerLoops.start(1);
  private final Map<Integer, RingNode> members = new TreeMap<>();
  private final Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
  private final List<RingNode> clients = new ArrayList<>();
  private final List<Grant> grants = new ArrayList<>();
  private volatile Rights rights = Rights.of(List.of(), List.of());
  private int nextMember;

  private EmbeddedRing(RingProtocol protocol, LinkLimits limits) {
    this.protocol = protocol;
    this.limits = limits;
  }

  /** Starts a ring, and waits until all have found their places. */
  public static EmbeddedRing start(int members, RingProtocol protocol) {
    return start(members, protocol, LinkLimits.standard());
  }

  /** The same, with limits of connections. */
  public static EmbeddedRing start(int members, RingProtocol protocol, LinkLimits limits) {
    EmbeddedRing ring = new EmbeddedRing(protocol, limits);
    try {
      for (int i = 0; i < members; i++) {
        int unused = ring.join();
      }
    } catch (RuntimeException e) {
      ring.close();
      throw e;
    }
    return ring;
  }

  /** The principal of a member. */
  public static String principalOf(int member) {
    return "m" + member;
  }

  /** A new member comes; gives its number when it has found its place. */
  public int join() {
    int number;
    synchronized (this) {
      number = nextMember++;
      grant(Grant.of(principalOf(number), OF_MEMBERS, ""));
    }
    begin(number, 0);
    return number;
  }

  private synchronized void grant(Grant grant) {
    grants.add(grant);
    rights = Rights.of(grants, List.of());
  }

  private void begin(int number, int port) {
    ServerKeyring shared = secrets.serverKeyring(NAME, NettyPeer.SHARED);
    ImmutableList<Endpoint> others = entrances();
    try {
      LoopbackPorts.Listener listener =
          address ->
              put(
                  number,
                  RingNode.member(
                      loops,
                      ServerCredentials.hmac(shared),
                      Gate.of(() -> rights),
                      ClientCredentials.hmac(keys(principalOf(number))),
                      limits,
                      protocol,
                      address,
                      null,
                      others,
                      () -> {}));
      InetSocketAddress at = bind(listener, port);
      synchronized (this) {
        addresses.put(number, at);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var unused = member(number).whenReady().orTimeout(GUARD_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Where another has taken the port meanwhile, a member comes back elsewhere. */
  private static InetSocketAddress bind(LoopbackPorts.Listener listener, int port)
      throws BindException {
    try {
      return LoopbackPorts.bind(listener, port);
    } catch (BindException e) {
      return LoopbackPorts.bind(listener, 0);
    }
  }

  private synchronized void put(int number, RingNode node) {
    members.put(number, node);
  }

  private synchronized @Nullable RingNode remove(int number) {
    return members.remove(number);
  }

  /** The keys of a principal. */
  public ClientKeyring keys(String principal) {
    return secrets.clientKeyring(NAME, principal, 1, ImmutableSet.of());
  }

  /** Where some members listen that live. */
  public synchronized ImmutableList<Endpoint> entrances() {
    return members.keySet().stream()
        .limit(ENTRANCES)
        .map(addresses::get)
        .map(at -> new Endpoint(at.getAddress().getHostAddress(), at.getPort()))
        .collect(ImmutableList.toImmutableList());
  }

  /** A client beside the ring that may contend for all locks. */
  public RingNode client(String principal) {
    return client(principal, "");
  }

  /** A client beside the ring that may contend for locks whose names start so. */
  public synchronized RingNode client(String principal, String prefix) {
    grant(Grant.of(principal, ImmutableSet.of(Right.LOCK), prefix));
    RingNode client =
        RingNode.client(
            null, ClientCredentials.hmac(keys(principal)), limits, protocol, allAddresses());
    clients.add(client);
    return client;
  }

  /** Also of those that are away: they may come back. */
  private ImmutableList<Endpoint> allAddresses() {
    return addresses.values().stream()
        .map(at -> new Endpoint(at.getAddress().getHostAddress(), at.getPort()))
        .collect(ImmutableList.toImmutableList());
  }

  /** A member that lives. */
  public synchronized RingNode member(int number) {
    RingNode member = members.get(number);
    checkState(member != null, "m%s is away", number);
    return member;
  }

  /** The numbers of those that live. */
  public synchronized ImmutableList<Integer> living() {
    return ImmutableList.copyOf(members.keySet());
  }

  /** Ends a member without a word. */
  public void kill(int number) {
    RingNode member = remove(number);
    if (member != null) {
      member.kill();
    }
  }

  /** A member says goodbye and ends. */
  public void leave(int number) {
    RingNode member = remove(number);
    if (member != null) {
      member.close();
    }
  }

  /** Starts a member again: at the same address if it is free, with the same id and no memory. */
  public void restart(int number) {
    int port;
    synchronized (this) {
      checkState(!members.containsKey(number), "m%s lives", number);
      InetSocketAddress before = addresses.get(number);
      port = before == null ? 0 : before.getPort();
    }
    begin(number, port);
  }

  @Override
  public void close() {
    List<RingNode> all;
    synchronized (this) {
      all = new ArrayList<>(clients);
      all.addAll(members.values());
      clients.clear();
      members.clear();
    }
    all.forEach(RingNode::kill);
    loops.close();
    secrets.close();
  }
}
