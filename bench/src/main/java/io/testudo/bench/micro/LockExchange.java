package io.testudo.bench.micro;

import io.testudo.bench.virtual.SimulatedMachine;
import io.testudo.bench.virtual.VirtualNetwork;
import io.testudo.bench.virtual.VirtualTime;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client and four servers of a lock in virtual time. */
final class LockExchange implements SimulatedMachine.Surroundings<ServerId> {
  private static final int SERVERS = 4;
  private static final long WALL_MILLIS = 1_000_000_000_000L;
  private static final long WAY_NANOS = 100_000;
  private static final String NAME = "lock";

  private final VirtualTime time = new VirtualTime(WALL_MILLIS, Long.MAX_VALUE);
  private final VirtualNetwork network =
      new VirtualNetwork(time, (client, server) -> WAY_NANOS, true);
  private final ClientId id = new ClientId("micro", 1, 0);
  private final SimulatedMachine<ServerId> machine;
  private long calls;
  private @Nullable Held held;

  LockExchange(Entropy entropy) {
    BackoffProtocol protocol = new BackoffProtocol(LockTiming.standard());
    for (ServerId server : ServerSet.firstN(SERVERS)) {
      var unused =
          network.serve(
              server, protocol.serverMachine(LockScope.everything(), entropy.fork(server.index())));
    }
    machine =
        network.join(
            id,
            protocol.clientMachine(
                new LockProtocol.Member(
                    protocol.thresholds(SERVERS, 1, LockOptions.Servers.ALL),
                    id.session(),
                    RankSeals.none(),
                    entropy)),
            this);
  }

  /** Acquires and releases; gives how many events there were. */
  int turn() {
    int events = 0;
    call(Acquire.of(NAME, TimeUnit.SECONDS.toNanos(1), Acquire.FOREVER));
    while (held == null) {
      events += next();
    }
    Held now = held;
    held = null;
    call(new ReleaseCall(now.lock(), now.token()));
    // The release arrives, so that the next turn meets a free lock.
    long until = time.nowNanos() + 2 * WAY_NANOS;
    return time.runUntil(until) ? events : 0;
  }

  private int next() {
    if (!time.runNext()) {
      throw new IllegalStateException("nobody gets the lock");
    }
    return 1;
  }

  private void call(Call<?> call) {
    machine.take(new Input.Called<>(new CallId<>(++calls), call));
  }

  @Override
  public void send(ServerId to, Message message) {
    network.carry(id, to, message);
  }

  @Override
  public void completed(long call, Object result) {
    if (result instanceof Held lease) {
      held = lease;
    }
  }

  @Override
  public void failed(long call, Throwable reason) {
    throw new IllegalStateException("a call failed", reason);
  }
}
