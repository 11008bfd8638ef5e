package io.testudo.mutex.dht.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EntrancesTest {
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);
  private static final NodeId C = new NodeId(3);

  private final Entrances entrances = new Entrances(List.of(A, B, C));

  @Test
  void theOneThatIsUsedStaysSoWhoeverIsAskedForMembersMeanwhile() {
    NodeId present = entrances.present();

    NodeId asked = entrances.next();
    entrances.answered(C, List.of(B, A));

    assertThat(entrances.present()).isEqualTo(present);
    assertThat(asked).isNotNull();
  }

  /** Else the last one that answers could name its accomplices only. */
  @Test
  void whoHasAnsweredIsKnownWhomeverOthersName() {
    NodeId liar = new NodeId(4);
    NodeId accomplice = new NodeId(5);
    entrances.answered(C, List.of(B));
    entrances.answered(liar, List.of(accomplice));
    assertThat(entrances.known()).containsExactly(liar, accomplice, C);
    entrances.avoid(C); // It is silent.
    assertThat(entrances.known()).containsExactly(liar, accomplice);
  }

  @Test
  void whoHasAnsweredAndIsGoneIsFoundOut() {
    entrances.answered(C, List.of(A, B));
    entrances.answered(A, List.of(B));
    assertThat(entrances.known()).contains(C);
    for (int i = 0; i <= Entrances.ASKS_REMEMBERED; i++) {
      entrances.answered(entrances.ask(), List.of(A, B));
    }
    assertThat(entrances.known()).doesNotContain(C);
  }

  @Test
  void oneThatIsSilentMakesRoomForTheNext() {
    NodeId present = entrances.present();

    entrances.avoid(present);

    assertThat(entrances.present()).isNotEqualTo(present);
  }

  @Test
  void oneThatIsNotUsedIsNoReasonToChange() {
    NodeId present = entrances.present();

    entrances.avoid(present.equals(A) ? B : A);

    assertThat(entrances.present()).isEqualTo(present);
  }
}
