package io.testudo.node.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.node.CommandException;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.ObjectList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Four servers, of which one may lie: three must have told everything. */
class WholeListsTest {
  private static final Thresholds FOUR = Mode.SEALED_STATEMENTS.need().thresholds(4, 1);

  /** All of them have sent a page, and so many the last one. */
  private static Answers<ObjectList> answers(int complete) {
    ImmutableListMultimap.Builder<ServerId, ObjectList> pages = ImmutableListMultimap.builder();
    for (int i = 0; i < 4; i++) {
      pages.put(
          new ServerId(i),
          new ObjectList(1, List.of(new ObjectList.Item("a", 1)), /* more= */ i >= complete));
    }
    return new Answers<>(
        pages.build(), ServerSet.firstN(complete), ImmutableMap.of(), ImmutableMap.of());
  }

  @Test
  void areNotTakenForWholeIfTheTimeCutThemOff() {
    assertThat(WholeLists.require(answers(3), FOUR).pages().keySet()).hasSize(4);
    assertThatThrownBy(() -> WholeLists.require(answers(2), FOUR))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("2 of 4 servers told of their objects to the end, 3 are needed");
  }
}
