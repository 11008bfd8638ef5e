package io.testudo.client.inquiry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.client.inquiry.Suspect.Kind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import org.junit.jupiter.api.Test;

class ReporterTest {
  private static final ServerId LIAR = new ServerId(1);

  private final Stage<ServerId> stage = new Stage<>(new Reporter(2));

  private void note(Kind kind, String detail) {
    var unused = stage.call(new Reporter.Note(Suspect.of(LIAR, kind, detail)));
  }

  private static ReportSuspects report(Suspect... suspects) {
    return new ReportSuspects(ImmutableList.copyOf(suspects));
  }

  @Test
  void reportsTheFirstAtOnceToAll() {
    note(Kind.OUTVOTED, "one");
    ReportSuspects expected = report(new Suspect(LIAR, Kind.OUTVOTED, "one", 1));
    assertThat(stage.sends())
        .containsExactly(
            new Effect.Send<>(new ServerId(0), expected), new Effect.Send<>(LIAR, expected));
  }

  @Test
  void gathersThoseThatFollow() {
    note(Kind.OUTVOTED, "one");
    note(Kind.OUTVOTED, "two");
    note(Kind.OUTVOTED, "three");
    note(Kind.CONTRADICTION, "four");
    assertThat(stage.sends()).isEmpty();
    stage.fireNext();
    assertThat(stage.sends().get(0).message())
        .isEqualTo(
            report(
                new Suspect(LIAR, Kind.OUTVOTED, "three", 2),
                new Suspect(LIAR, Kind.CONTRADICTION, "four", 1)));
    stage.fireNext();
    assertThat(stage.effects).isEmpty();
    assertThat(stage.timers).isEmpty();
  }

  @Test
  void sendsTheRestBeforeItEnds() {
    note(Kind.OUTVOTED, "one");
    note(Kind.OUTVOTED, "two");
    var unused = stage.call(new Reporter.Flush());
    assertThat(stage.sends()).hasSize(2);
    assertThat(stage.result()).isEqualTo(true);
  }

  @Test
  void cutsLongDetails() {
    note(Kind.OUTVOTED, "x".repeat(5_000));
    assertThat(stage.sends()).hasSize(2);
  }
}
