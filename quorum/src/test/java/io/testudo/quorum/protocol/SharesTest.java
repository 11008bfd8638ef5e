package io.testudo.quorum.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharesTest {
  private final Shares shares = new Shares(16);

  @Test
  void giveOneAloneHalfAndTheNextHalfOfTheRest() {
    for (int i = 0; i < 8; i++) {
      assertThat(shares.take("alice", 1)).isTrue();
    }
    assertThat(shares.take("alice", 1)).isFalse();
    for (int i = 0; i < 4; i++) {
      assertThat(shares.take("bob", 1)).isTrue();
    }
    assertThat(shares.take("bob", 1)).isFalse();
    assertThat(shares.hasRoomFor("carol", 1)).isTrue();
    assertThat(shares.all()).isEqualTo(12);
  }

  @Test
  void giveAgainWhatWasGivenBack() {
    assertThat(shares.take("alice", 8)).isTrue();
    assertThat(shares.take("alice", 1)).isFalse();

    shares.giveBack("alice", 8);

    assertThat(shares.all()).isZero();
    assertThat(shares.take("alice", 8)).isTrue();
  }

  @Test
  void chargeWhatIsThereAlreadyWhetherThereIsRoomOrNot() {
    shares.charge("alice", 20);

    assertThat(shares.hasRoomFor("bob", 1)).isFalse();
    assertThat(shares.all()).isEqualTo(20);
  }
}
