package io.testudo.bench.locking;

import io.testudo.bench.cluster.ConnectedClients;
import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Session;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockProtocol.Member;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.netty.OngoingCall;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.runtime.CallListener;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Clients that take turns on their machine's own loop. Those of one connection share a machine. */
final class AsyncSession implements Session {
  static final long HOLD_NANOS = Duration.ofSeconds(10).toNanos();

  private static final SecureRandom RANDOM = new SecureRandom();

  private final ConnectedClients connected;
  private final List<Contender> contenders = new ArrayList<>();

  private AsyncSession(ConnectedClients connected) {
    this.connected = connected;
  }

  static AsyncSession connect(MeasuredLockCluster cluster, LockSetup setup, int clients)
      throws IOException {
    AsyncSession session = new AsyncSession(cluster.clients());
    try {
      List<Section> sections = Stream.generate(Section::new).limit(setup.locks()).toList();
      List<ClientMachine> machines = new ArrayList<>();
      for (int i = 0; i < setup.connections().sessions(clients); i++) {
        NettyClient client = session.connected.connect();
        ClientMachine machine = client.start(machine(cluster, setup, client), event -> {});
        machines.add(machine);
        awaitConnections(client, machine, cluster.servers());
      }
      for (int i = 0; i < clients; i++) {
        int lock = setup.lockNumber(i);
        session.contenders.add(
            new Contender(
                machines.get(i % machines.size()), LockSetup.lockOf(lock), sections.get(lock)));
      }
      return session;
    } catch (IOException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static Machine<ServerId> machine(
      MeasuredLockCluster cluster, LockSetup setup, NettyClient client) {
    Member member =
        new Member(setup.thresholds(), client.session(), cluster.seals(), RANDOM::nextLong);
    return setup.protocol().clientMachine(member);
  }

  /** No turn may be measured that waited for a connection: asks until all servers are there. */
  private static void awaitConnections(NettyClient client, ClientMachine machine, int servers)
      throws IOException {
    String lock = LockSetup.PREFIX + "-of-" + client.session();
    long startNanos = System.nanoTime();
    try {
      do {
        Held held = machine.call(Acquire.of(lock, HOLD_NANOS, HOLD_NANOS)).join();
        boolean unused = machine.call(new ReleaseCall(lock, held.token())).join();
        if (System.nanoTime() - startNanos > HOLD_NANOS) {
          throw new IOException(
              "%d of %d servers are connected".formatted(client.connections(), servers));
        }
      } while (client.connections() != servers);
    } catch (CompletionException e) {
      throw new IOException("the servers did not grant a first lock: " + e.getCause(), e);
    }
  }

  @Override
  public void start(int client, Completion completion) {
    contenders.get(client).start(completion);
  }

  @Override
  public void close() {
    connected.close();
  }

  /** One client; it wants or has the lock once at a time. */
  private static final class Contender implements CallListener<Held> {
    private final ClientMachine machine;
    private final Acquire acquire;
    private final Section section;
    private final CallListener<Boolean> whenReleased = new WhenReleased();
    private @Nullable Completion completion;

    Contender(ClientMachine machine, String lock, Section section) {
      this.machine = machine;
      this.acquire = Acquire.of(lock, HOLD_NANOS, Acquire.FOREVER);
      this.section = section;
    }

    void start(Completion whenDone) {
      completion = whenDone;
      OngoingCall unused = machine.call(acquire, this);
    }

    private Completion completion() {
      if (completion == null) {
        throw new IllegalStateException("nobody asked for the lock");
      }
      return completion;
    }

    @Override
    public void completed(Held held) {
      completion().reached();
      try {
        section.pass(held.token());
      } catch (MeasurementException e) {
        completion().failed(e);
        return;
      }
      OngoingCall unused = machine.call(new ReleaseCall(held.lock(), held.token()), whenReleased);
    }

    @Override
    public void failed(TestudoException reason) {
      completion().failed(reason);
    }

    private final class WhenReleased implements CallListener<Boolean> {
      @Override
      public void completed(Boolean wasHeld) {
        if (wasHeld) {
          completion().done();
        } else {
          completion().failed(new MeasurementException("a lease was lost", null));
        }
      }

      @Override
      public void failed(TestudoException reason) {
        completion().failed(reason);
      }
    }
  }
}
