package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Restore;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.Violation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a liar made up shows as soon as a correct machine hands it on. */
class HearsayCheckerTest {
  private static final String OBJECT = "it";
  private static final ServerId SERVER = new ServerId(0);
  private static final Rank RANK = new Rank(1_000, 1);
  private static final Rank OTHER = new Rank(2_000, 1);
  private static final Entry ENTRY =
      new Entry(1, StateId.genesis(OBJECT).link(), Bytes.utf8("one"));
  private static final Statement STATEMENT = new Statement(RANK, ENTRY.state(), Optional.empty());

  private final AgreementChecker checker =
      new AgreementChecker(OBJECT, servers -> servers.size() >= 3);

  private void propose() {
    checker.onClientSends(new Get(OBJECT, 1, RANK, Optional.empty(), Optional.empty(), false));
    checker.onClientSends(
        new Propose(OBJECT, STATEMENT, Optional.empty(), List.of(ENTRY), Optional.empty()));
  }

  private static Report report(
      Statement proposed, List<SubmittedOperation> pending, List<Entry> entries) {
    return new Report(OBJECT, 1, Optional.of(proposed), Optional.empty(), pending, entries);
  }

  private static SubmittedOperation operation(String body) {
    return new SubmittedOperation(new OpId(1, 1), 0, Bytes.utf8(body), Optional.empty());
  }

  private void breaks(Message fromServer) {
    assertThatExceptionOfType(Violation.class)
        .isThrownBy(() -> checker.onServerSends(SERVER, fromServer));
  }

  @Test
  void letsCorrectMachinesSayWhatCorrectOnesSaid() {
    propose();
    checker.onClientSends(new Submit(OBJECT, operation("x")));
    checker.onServerSends(SERVER, report(STATEMENT, List.of(operation("x")), List.of(ENTRY)));
    checker.onServerSends(SERVER, new Superseded(OBJECT, OTHER, RANK, Optional.empty()));
  }

  @Test
  void seesRanksAndProposalsThatNobodyMade() {
    propose();
    breaks(new Superseded(OBJECT, RANK, OTHER, Optional.empty()));
    breaks(report(new Statement(OTHER, ENTRY.state(), Optional.empty()), List.of(), List.of()));
    assertThatExceptionOfType(Violation.class)
        .isThrownBy(
            () -> checker.onClientSends(new Restore(OBJECT, RANK, Optional.empty(), 1, List.of())));
  }

  @Test
  void seesOperationsAndPastsThatNobodyMade() {
    propose();
    checker.onClientSends(new Submit(OBJECT, operation("x")));
    breaks(report(STATEMENT, List.of(operation("y")), List.of()));
    Entry invented = new Entry(2, ENTRY.state().link(), Bytes.utf8("two"));
    breaks(report(STATEMENT, List.of(), List.of(invented)));
    LogSnapshot snapshot = new LogSnapshot(STATEMENT, Bytes.utf8("whole"));
    breaks(new Bodies(OBJECT, ENTRY.state(), true, Optional.of(snapshot), List.of()));
  }

  @Test
  void seesTwoAnswersToOneOperation() {
    OpId id = new OpId(1, 1);
    checker.onServerSends(SERVER, new Answered(OBJECT, id, 1, Optional.of(Bytes.utf8("a"))));
    checker.onServerSends(new ServerId(1), new Answered(OBJECT, id, 1, Optional.empty()));
    breaks(new Answered(OBJECT, id, 1, Optional.of(Bytes.utf8("b"))));
  }

  private static final OpId ID = new OpId(5, 1);
  private static final Bytes RESULT = Bytes.utf8("r");
  private static final Entry DONE =
      new Entry(
          1,
          StateId.genesis(OBJECT).link(),
          EntryBody.of(new EntryBody.Done(ID.session(), ID.sequence(), 0, RESULT, RESULT))
              .toBytes());

  private void proposeDone() {
    checker.onClientSends(new Get(OBJECT, 1, RANK, Optional.empty(), Optional.empty(), false));
    Statement said = new Statement(RANK, DONE.state(), Optional.empty());
    checker.onClientSends(
        new Propose(OBJECT, said, Optional.empty(), List.of(DONE), Optional.empty()));
  }

  @Test
  void seesWhatIsToldToFollowersAndOrderersThoughNobodySaidIt() {
    proposeDone();
    checker.onServerSends(SERVER, new Included(OBJECT, ID, RANK, DONE.state(), RESULT));
    breaks(new Included(OBJECT, ID, RANK, DONE.state(), Bytes.utf8("s")));
    breaks(new Included(OBJECT, ID, OTHER, DONE.state(), RESULT));
    breaks(new Included(OBJECT, ID, RANK, ENTRY.state(), RESULT));
    breaks(new Relayed(OBJECT, RANK, List.of(operation("z"))));
    breaks(new Busy(OBJECT, RANK, OTHER));
  }

  /** However a client has learnt of it: from acceptances, from answers, or by ordering itself. */
  @Test
  void seesResultsOfWhatNoQuorumHasAccepted() {
    proposeDone();
    Accepted accepted = new Accepted(OBJECT, RANK, 1, Accepted.Stage.PROPOSED, List.of());
    checker.onServerSends(SERVER, accepted);
    checker.onServerSends(new ServerId(1), accepted);
    assertThatExceptionOfType(Violation.class).isThrownBy(() -> checker.told(ID, 1, RESULT));
    checker.onServerSends(new ServerId(2), accepted);
    checker.told(ID, 1, RESULT);
    assertThatExceptionOfType(Violation.class)
        .isThrownBy(() -> checker.told(ID, 1, Bytes.utf8("s")));
    assertThatExceptionOfType(Violation.class).isThrownBy(() -> checker.told(ID, 2, RESULT));
  }
}
