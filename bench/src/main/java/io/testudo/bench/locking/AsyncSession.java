package io.testudo.bench.locking;

import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Session;
import io.testudo.mutex.Lease;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Clients that take turns by futures, on the client's own loop. */
final class AsyncSession implements Session {
  private final LockClients connected;
  private final List<Turn> turns;

  AsyncSession(LockClients connected, List<LockUser> contenders) {
    this.connected = connected;
    this.turns = contenders.stream().map(Turn::new).toList();
  }

  @Override
  public void start(int client, Completion completion) {
    turns.get(client).start(completion);
  }

  @Override
  public void close() {
    connected.close();
  }

  /** One client; it wants or has the lock once at a time. */
  private static final class Turn implements BiConsumer<@Nullable Lease, @Nullable Throwable> {
    private final LockUser contender;
    private @Nullable Completion completion;

    Turn(LockUser contender) {
      this.contender = contender;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
    void start(Completion whenDone) {
      completion = whenDone;
      contender.lock().acquireAsync().whenComplete(this);
    }

    @Override
    public void accept(@Nullable Lease lease, @Nullable Throwable failure) {
      Completion ended = completion;
      if (ended == null) {
        throw new IllegalStateException("nobody asked for the lock");
      }
      if (lease == null) {
        ended.failed(failure == null ? new IllegalStateException("no lease") : failure);
        return;
      }
      ended.reached();
      try (lease) {
        contender.pass(lease);
      } catch (MeasurementException e) {
        ended.failed(e);
        return;
      }
      ended.done();
    }
  }
}
