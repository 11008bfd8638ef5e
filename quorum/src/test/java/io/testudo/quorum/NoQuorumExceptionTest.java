package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class NoQuorumExceptionTest {
  private static final ServerSet TWO = ServerSet.of(new ServerId(0), new ServerId(3));

  @Test
  void saysHowManyAnsweredAndWhatToDo() {
    NoQuorumException exception = new NoQuorumException(TWO, 4, 3, Outcome.DID_NOT_HAPPEN);

    assertThat(exception)
        .hasMessage(
            "2 of 4 servers answered, 3 are needed: it did not happen, so trying again is safe");
    assertThat(exception.outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN);
    assertThat(exception.answered()).isEqualTo(TWO);
  }

  @Test
  void carriesAnUnknownOutcomeIntoItsMessage() {
    assertThat(new NoQuorumException(ServerSet.none(), 1, 1, Outcome.UNKNOWN))
        .hasMessage(
            "0 of 1 servers answered, 1 is needed: it may have happened or still happen, so ask"
                + " before doing it again");
  }

  @Test
  void everyOutcomeHasARuleOfItsOwn() {
    assertThat(Arrays.stream(Outcome.values()).map(Outcome::rule)).doesNotHaveDuplicates();
  }
}
