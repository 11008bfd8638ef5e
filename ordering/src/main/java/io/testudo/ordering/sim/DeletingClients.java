package io.testudo.ordering.sim;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.ObjectChange;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.client.AwaitNames;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.sim.LedgerModel.Lines;
import io.testudo.ordering.sim.MarksInOrder.Marks;
import io.testudo.ordering.typed.LifeOperations;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.history.RecordedHistory;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Clients that delete the ledger, and are told by servers what becomes of it. */
final class DeletingClients {
  private static final long MILLI = 1_000_000L;
  private static final long LOOK_NANOS = 500 * MILLI;
  private static final long WAIT_NANOS = 600_000 * MILLI;

  private final String object;
  private final LedgerDeletions deletions;
  private final RecordedHistory<Long, Marks> history;
  private final Set<ClientId> watching = new HashSet<>();
  private Entropy endings = Entropy.seeded(0);
  private boolean someEnd;

  DeletingClients(String object, LedgerDeletions deletions, RecordedHistory<Long, Marks> history) {
    this.object = object;
    this.deletions = deletions;
    this.history = history;
  }

  /** Hears what servers tell of names that start as the ledger's, as long as the client lives. */
  void watch(ClientPort port) {
    if (watching.add(port.self())) {
      await(port);
    }
  }

  private void await(ClientPort port) {
    port.call(
        new AwaitNames(1, object.substring(0, 3), LOOK_NANOS, WAIT_NANOS),
        new CallListener<ImmutableList<ObjectChange>>() {
          @Override
          public void completed(ImmutableList<ObjectChange> changes) {
            changes.forEach(deletions::told);
            await(port);
          }

          @Override
          public void failed(TestudoException reason) {
            port.note("watches no more: " + reason.getMessage());
          }
        });
  }

  /** Whether some ledgers of this run have times to live, which none of its other draws notices. */
  void begin(Entropy entropy) {
    endings = entropy;
    someEnd = entropy.chance(0.5);
  }

  /** Whether a write shall give the ledger a short time to live, if it makes it. */
  boolean makesMortal() {
    return someEnd && endings.chance(0.3);
  }

  TimeToLive shortTime() {
    Duration time = Duration.ofMillis(1 + endings.nextInt(500));
    return endings.chance(0.5) ? TimeToLive.of(time) : TimeToLive.sinceLastChange(time);
  }

  /** Ends the ledger now, soon, or not at all. */
  void end(ClientPort port, TypedModel<Lines> model, long timeoutNanos, Runnable done) {
    if (!someEnd || endings.chance(0.4)) {
      delete(port, model, timeoutNanos, done);
    } else if (endings.chance(0.6)) {
      setTime(port, model, DeletableMarks.END_SOON, shortTime(), timeoutNanos, done);
    } else {
      TimeToLive time =
          endings.chance(0.5) ? TimeToLive.ENDLESS : TimeToLive.of(Duration.ofDays(300));
      setTime(port, model, DeletableMarks.STAY, time, timeoutNanos, done);
    }
  }

  private void setTime(
      ClientPort port,
      TypedModel<Lines> model,
      long asked,
      TimeToLive time,
      long timeoutNanos,
      Runnable done) {
    boolean calm = port.isCalm();
    long before = deletions.begins();
    var recorded = history.called(object, asked);
    port.call(
        new SubmitOperation(object, model, LifeOperations.expireAfter(time), timeoutNanos),
        new CallListener<OperationResult>() {
          @Override
          public void completed(OperationResult result) {
            deletions.ordered("a time to live", result.version(), before);
            recorded.returned(new Marks(model.told(object, result.result()) ? 1 : 0, 0));
            done.run();
          }

          @Override
          public void failed(TestudoException reason) {
            OrderingWorkload.onFailure(port, calm, reason, done);
          }
        });
  }

  /** Deletes the ledger, and has servers give back its room. */
  private void delete(ClientPort port, TypedModel<Lines> model, long timeoutNanos, Runnable done) {
    boolean calm = port.isCalm();
    long before = deletions.begins();
    var recorded = history.called(object, DeletableMarks.DELETE);
    port.call(
        new SubmitOperation(object, model, LifeOperations.delete(), timeoutNanos),
        new CallListener<OperationResult>() {
          @Override
          public void completed(OperationResult result) {
            boolean wasThere = model.told(object, result.result());
            deletions.deleted(wasThere, result.version(), before);
            recorded.returned(new Marks(wasThere ? 1 : 0, 0));
            settle(port, model, timeoutNanos, done);
          }

          @Override
          public void failed(TestudoException reason) {
            OrderingWorkload.onFailure(port, calm, reason, done);
          }
        });
  }

  private void settle(ClientPort port, TypedModel<Lines> model, long timeoutNanos, Runnable done) {
    boolean calm = port.isCalm() && timeoutNanos >= WAIT_NANOS;
    port.call(
        new SubmitOperation(object, model, LifeOperations.settle(), timeoutNanos),
        new CallListener<OperationResult>() {
          @Override
          public void completed(OperationResult result) {
            done.run();
          }

          @Override
          public void failed(TestudoException reason) {
            OrderingWorkload.onFailure(port, calm, reason, done);
          }
        });
  }
}
