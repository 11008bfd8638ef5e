package io.testudo.quorum.sim.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The liar that lets a quorum down: there is a phase for each way to do so. */
class LetDownTest {
  private record Asked(int number) implements Message {}

  private record Answer(int number) implements Message {}

  private static final ClientId CLIENT = new ClientId("c", 1, 1);

  private final StrategyContext context =
      new StrategyContext(
          new ServerId(0),
          4,
          (kind, step, liar) -> step.meant(),
          PingTypes.ALL,
          Entropy.seeded(1),
          new Collusion(2));

  private String said(ByzantineStrategy lie, int number) {
    OutgoingMessage meant = new OutgoingMessage(CLIENT, new Answer(number), 0);
    Input<ClientId> asked = new Input.Received<>(CLIENT, new Asked(number));
    HonestStep step = new HonestStep(asked, new Moment(0, 0), List.of(meant));
    List<OutgoingMessage> said = lie.say(step, context);
    return said.isEmpty() ? "silent" : said.get(0).delayNanos() == 0 ? "at once" : "late";
  }

  @Test
  void answersAtOnceOrLateOrWhoAsksAgain() {
    TreeSet<String> ways = new TreeSet<>();
    for (int seed = 1; seed <= 60; seed++) {
      ByzantineStrategy lie = ByzantineKind.LET_DOWN.begin(Entropy.seeded(seed));
      String first = said(lie, 1);
      assertThat(said(lie, 2)).as("the same of all of a kind").isEqualTo(first);
      ways.add(first + ", then " + said(lie, 1));
    }
    assertThat(ways)
        .containsExactly("at once, then at once", "late, then late", "silent, then at once");
  }

  @Test
  void isToldOnlyWhereClientsAskAQuorum() {
    assertThat(ByzantineKind.ordinary()).doesNotContain(ByzantineKind.LET_DOWN);
  }
}
