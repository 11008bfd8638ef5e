package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several proposals of one ballot that are under way. */
class PipelineTest {
  private static final Rank RANK = new Rank(7, 1);
  private static final Thresholds QUORUM = Mode.SEALED_STATEMENTS.need().thresholds(4, 1);

  private final Ballot ballot =
      new Ballot(RANK, Optional.empty(), 1, true, Optional.empty(), new Moment(0, 0));

  private void propose(int version) {
    StateId state = new StateId(version, Digest.of(new byte[] {(byte) version}));
    ballot.propose(new Statement(RANK, state, Optional.empty()), new Moment(version, version));
  }

  private Ballot.@Nullable Proposal accept(int server, int version) {
    return ballot.accept(new ServerId(server), version, QUORUM);
  }

  @Test
  void whoAcceptsALaterOneHasAcceptedThoseBeforeIt() {
    propose(1);
    propose(2);
    propose(3);
    assertThat(accept(0, 1)).isNull();
    assertThat(accept(1, 3)).isNull();
    Ballot.Proposal complete = accept(2, 2);
    assertThat(complete).isNotNull().extracting(Ballot.Proposal::version).isEqualTo(1L);
    assertThat(ballot.acceptedAll().size()).isEqualTo(1);
    assertThat(accept(0, 3)).extracting(Ballot.Proposal::version).isEqualTo(2L);
  }

  @Test
  void whoReadsIsAnsweredByTheProposalThatWentOutAfterIt() {
    CallId<ReadResult> early = new CallId<>(1);
    CallId<ReadResult> late = new CallId<>(2);
    ballot.readers.add(early);
    propose(1);
    ballot.readers.add(late);
    propose(2);
    Ballot.Proposal first = ballot.flight.element();
    assertThat(ballot.land(first)).containsExactly(early);
    assertThat(ballot.land(ballot.flight.element())).containsExactly(late);
    assertThat(ballot.flight).isEmpty();
  }

  @Test
  void theGroundOfATipComesNearerStepByStep() {
    Replica<String> ground = Replica.initial(GrowingText.MODEL, "it");
    Tip<String> tip = new Tip<>(ground);
    StateId one = extend(tip, 1, "a");
    StateId two = extend(tip, 2, "b");
    assertThat(tip.passes(one)).isTrue();
    assertThat(tip.settle(one)).containsOnlyKeys(new OpId(1, 1));
    assertThat(ground.at()).isEqualTo(one);
    assertThat(ground.state()).isEqualTo("a");
    assertThat(tip.passes(one)).isFalse();
    assertThat(tip.state()).isEqualTo("ab");
    assertThat(tip.outcome(new OpId(1, 1))).isNotNull();
    assertThat(tip.settle(two)).containsOnlyKeys(new OpId(1, 2));
    assertThat(ground.state()).isEqualTo("ab");
    assertThat(ground.sessions().outcome(new OpId(1, 2))).isNotNull();
  }

  private static StateId extend(Tip<String> tip, long sequence, String text) {
    SubmittedOperation operation =
        new SubmittedOperation(new OpId(1, sequence), 0, Bytes.utf8(text), Optional.empty());
    return tip.extend(List.of(operation), 1 << 20, Optional.empty(), 0).orElseThrow().state();
  }
}
