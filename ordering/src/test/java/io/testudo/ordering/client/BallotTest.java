package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Moment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BallotTest {
  private static final long NONCE = 7;

  @Test
  void theCommitThatIsPassedOnDependsOnServersAndNotOnHashCodes() {
    for (int i = 0; i < 100; i++) {
      StateId state = new StateId(3, Digest.builder("test").add(i).build());
      Ballot ballot =
          new Ballot(
              new Rank(9, 9), Optional.empty(), NONCE, false, Optional.empty(), new Moment(0, 0));
      Statement first = new Statement(new Rank(1 + i, 1), state, Optional.empty());
      Statement second = new Statement(new Rank(200 - i, 2), state, Optional.empty());
      report(ballot, 2, first); // Not in the order of servers.
      report(ballot, 3, second);
      report(ballot, 1, second);

      assertThat(ballot.commitOf(state, 1)).contains(second);
      assertThat(ballot.commitOf(state, 2)).contains(second);
      assertThat(ballot.commitOf(state, 3)).isEmpty();
    }
  }

  private static void report(Ballot ballot, int server, Statement committed) {
    ballot.tally.take(
        new ServerId(server),
        new Report("x", NONCE, Optional.empty(), Optional.of(committed), List.of(), List.of()),
        false);
  }
}
