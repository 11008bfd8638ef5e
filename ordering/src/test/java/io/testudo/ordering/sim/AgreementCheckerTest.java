package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.sim.Violation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of which proposals the checker knows that a quorum has accepted them. */
class AgreementCheckerTest {
  private static final String OBJECT = "it";
  private static final Rank RANK = new Rank(1_000, 1);
  private static final Entry ENTRY =
      new Entry(1, StateId.genesis(OBJECT).link(), Bytes.utf8("one"));
  private static final Statement STATEMENT = new Statement(RANK, ENTRY.state(), Optional.empty());

  private final AgreementChecker checker =
      new AgreementChecker(OBJECT, servers -> servers.size() >= 3);

  @BeforeEach
  void proposeAndHaveTwoAccept() {
    checker.onClientSends(new Get(OBJECT, 1, RANK, Optional.empty(), Optional.empty(), false));
    checker.onClientSends(
        new Propose(OBJECT, STATEMENT, Optional.empty(), List.of(ENTRY), Optional.empty()));
    for (int server = 0; server < 2; server++) {
      checker.onServerSends(
          new ServerId(server), new Accepted(OBJECT, RANK, 1, Accepted.Stage.PROPOSED, List.of()));
    }
  }

  private void report(int server, Optional<Statement> proposed) {
    checker.onServerSends(
        new ServerId(server),
        new Report(OBJECT, 1, proposed, Optional.empty(), List.of(), List.of()));
  }

  @Test
  void twoOfThreeAreNone() {
    report(2, Optional.empty());
    report(1, Optional.of(STATEMENT));
    assertThatExceptionOfType(Violation.class).isThrownBy(() -> checker.committed(STATEMENT));
  }

  /** It died when it had stored the proposal and before it could say so. */
  @Test
  void whoShowsAProposalHasAcceptedIt() {
    report(2, Optional.of(STATEMENT));
    assertThatCode(() -> checker.committed(STATEMENT)).doesNotThrowAnyException();
  }
}
