package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareQuorumTest {
  @Test
  void soManyPartsWinAndNoLess() {
    ShareQuorum quorum = new ShareQuorum(3, 4);
    assertThat(quorum.isEnough(0.25 + 0.25 + 0.25)).isTrue();
    assertThat(quorum.isEnough(0.1 * 7.5)).isTrue(); // Sums are rounded.
    assertThat(quorum.isEnough(0.7499)).isFalse();
    assertThat(quorum.isBlockedBy(0.25)).isFalse();
    assertThat(quorum.isBlockedBy(0.2501)).isTrue();
  }

  @Test
  void twoWinnersShareWhatIsMoreThanTheWhole() {
    ShareQuorum quorum = new ShareQuorum(9, 10);
    assertThat(quorum.shared()).isEqualTo(0.8, within(1e-9));
    assertThat(quorum.dispensable()).isEqualTo(0.1, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "5, 4", "0, 0", "2, 5"})
  void halfOfTheWholeIsNoQuorum(int needed, int parts) {
    assertThatThrownBy(() -> new ShareQuorum(needed, parts))
        .isInstanceOf(QuorumConfigurationException.class);
  }
}
