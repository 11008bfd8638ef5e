package io.testudo.ordering.sim;

import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.ordering.sim.LedgerModel.Lines;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.Violation;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Clients that look at what was published beside what else they do. So they learn what others have
 * chosen while their own ballots are under way. What they see was chosen, and no client sees less
 * than it saw before.
 */
final class GlancingClients {
  private static final double SHARE = 0.5;

  private final String object;
  private final LedgerChecker checker;
  private final Function<ReadResult, Lines> lines;
  private final Map<ClientId, Long> seen = new HashMap<>();
  private boolean areExpected;

  GlancingClients(String object, LedgerChecker checker, Function<ReadResult, Lines> lines) {
    this.object = object;
    this.checker = checker;
    this.lines = lines;
  }

  void expect(boolean expected) {
    areExpected = expected;
  }

  /** Looks now and then; nobody waits for it. */
  void glance(ClientPort port, FragileLedger ledger, long timeoutNanos) {
    if (!areExpected || !port.entropy().chance(SHARE)) {
      return;
    }
    port.call(
        ReadObject.published(object, ledger.model(), timeoutNanos),
        new CallListener<ReadResult>() {
          @Override
          public void completed(ReadResult result) {
            checker.read(lines.apply(result), 0);
            long before = seen.merge(port.self(), result.version(), Math::max);
            if (result.version() < before) {
              throw Violation.safety(
                  "%s was shown version %d after %d"
                      .formatted(port.self(), result.version(), before));
            }
          }

          @Override
          public void failed(TestudoException reason) {
            port.note("saw nothing: " + reason.getMessage());
          }
        });
  }
}
