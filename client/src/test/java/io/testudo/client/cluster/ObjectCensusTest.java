package io.testudo.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableListMultimap;
import io.testudo.client.cluster.ObjectCensus.Entry;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.ObjectList.Item;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectCensusTest {
  private static final Thresholds FOUR = Need.PING.thresholds(4, 1);

  private final ImmutableListMultimap.Builder<ServerId, ObjectList> pages =
      ImmutableListMultimap.builder();

  private void says(int server, Item... items) {
    pages.put(new ServerId(server), new ObjectList(1, List.of(items), false));
  }

  @Test
  void showsWhatOneCorrectServerMustHaveSaid() {
    says(0, new Item("a", 5), new Item("b", 1));
    says(1, new Item("a", 4));
    says(2, new Item("a", 99), new Item("invented", 7));
    says(2, new Item("invented", 7), new Item("c", 2));
    says(3, new Item("c", 3));
    assertThat(ObjectCensus.of(pages.build(), FOUR))
        .containsExactly(new Entry("a", 5, 2, 0, 0), new Entry("c", 2, 2, 0, 0));
  }

  @Test
  void countsThoseThatHaveTheVersionAndNotThoseThatKnowTheName() {
    says(0, new Item("a", 5));
    says(1, new Item("a", 5));
    says(2, new Item("a", 5));
    says(3, new Item("a", 1));
    assertThat(ObjectCensus.of(pages.build(), FOUR)).containsExactly(new Entry("a", 5, 3, 0, 0));
  }

  @Test
  void believesATypeThatOneCorrectServerTells() {
    says(0, new Item("a", 1, 3, 500, false));
    says(1, new Item("a", 1, 77, 1L << 40, false));
    says(2, new Item("a", 1, 3, 600, false));
    assertThat(ObjectCensus.of(pages.build(), FOUR)).containsExactly(new Entry("a", 1, 3, 3, 600));
  }
}
