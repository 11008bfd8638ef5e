package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.NewNamesTest.LOST;
import static io.testudo.ordering.sim.NewNamesTest.allTakeNote;
import static io.testudo.ordering.sim.NewNamesTest.everyone;
import static io.testudo.ordering.sim.NewNamesTest.loses;
import static io.testudo.ordering.sim.NewNamesTest.lossesToldOf;
import static io.testudo.ordering.sim.NewNamesTest.makes;
import static io.testudo.ordering.sim.NewNamesTest.page;
import static io.testudo.ordering.sim.NewNamesTest.takesPart;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.AskMemory;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.quorum.ServerId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a liar lists to a server that is readmitted is bounded. */
class InventedNamesTest {
  private static String[] invented(int count) {
    return IntStream.range(0, count).mapToObj("x%05d"::formatted).toArray(String[]::new);
  }

  /** What a liar makes up costs the lost one some memory, and the others nothing. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void namesThatALiarInventsAreNotMadeIfTheyAreMany(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    makes(hand, "old", everyone(hand));
    loses(hand, LOST);
    Client admin = allTakeNote(hand);
    AskMemory asked = admin.last(AskMemory.class, hand.liar);
    String[] names = invented(120);
    admin.hear(hand.liar, page(admin, asked, MemoryEpoch.FOUNDING, names));
    admin.finish(everyone(hand));
    assertThat(admin.readmitted).hasSize(1);
    assertThat(admin.readmitted.get(0).left()).isEqualTo(names.length);
    assertThat(admin.readmitted.get(0).restored()).isEqualTo(1);
    assertThat(hand.server(1).machine().rank(names[0])).isEqualTo(Rank.NONE);
    assertThat(takesPart(hand, LOST, "new")).isTrue();
  }

  /** More than one principal can make: it does not count, and is named where it is needed. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void aLiarThatListsNamesWithoutEndIsLeftOut(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    loses(hand, LOST);
    Client admin = allTakeNote(hand);
    String[] names = invented(5_120);
    for (int from = 0; from < names.length; from += MemoryPage.MAX_NAMES) {
      AskMemory asked = admin.last(AskMemory.class, hand.liar);
      List<MemoryPage.Name> some =
          IntStream.range(from, from + MemoryPage.MAX_NAMES)
              .mapToObj(i -> new MemoryPage.Name(names[i], false))
              .toList();
      boolean more = from + MemoryPage.MAX_NAMES < names.length;
      admin.hear(
          hand.liar, new MemoryPage(asked.nonce(), 1, true, 0, lossesToldOf(admin), some, more));
    }
    admin.finish(hand.correct());
    if (mode == Mode.PLAIN) {
      assertThat(admin.readmitted).hasSize(1);
      assertThat(admin.readmitted.get(0).left()).isZero();
    } else {
      assertThat(admin.failures).hasSize(1);
      assertThat(admin.failures.get(0))
          .hasMessageContaining(new ServerId(hand.liar) + " alone lists 5120");
    }
  }
}
