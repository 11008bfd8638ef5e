package io.testudo.ordering.sim;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.ObjectChange;
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

  /** Deletes the ledger, and has servers give back its room. */
  void delete(ClientPort port, TypedModel<Lines> model, long timeoutNanos, Runnable done) {
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
