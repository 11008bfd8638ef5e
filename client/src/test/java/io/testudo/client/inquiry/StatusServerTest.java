package io.testudo.client.inquiry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.client.inquiry.Suspect.Kind;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatusServerTest {
  private static final ServerId SELF = new ServerId(0);
  private static final ServerId LIAR = new ServerId(3);
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);

  private final StatusServer server = new StatusServer(SELF, 4, "1.0", () -> "print", 3);
  private final Stage<ClientId> stage = new Stage<>(server);

  private static ReportSuspects report(ServerId suspect, Kind kind, String detail) {
    return new ReportSuspects(ImmutableList.of(Suspect.of(suspect, kind, detail)));
  }

  private ServerStatus ask() {
    stage.receive(ALICE, new AskStatus(5));
    return (ServerStatus) stage.sends().get(0).message();
  }

  @Test
  void saysHowItIs() {
    stage.nanos = 2_500_000_000L;
    ServerStatus status = ask();
    assertThat(status)
        .isEqualTo(new ServerStatus(5, SELF, "1.0", "print", 2_500, 1_000_000, ImmutableList.of()));
  }

  @Test
  void keepsOneReportForEachReporterServerAndKind() {
    stage.receive(ALICE, report(LIAR, Kind.OUTVOTED, "first"));
    stage.wallMillis = 1_000_007;
    stage.receive(ALICE, report(LIAR, Kind.OUTVOTED, "second"));
    stage.receive(BOB, report(LIAR, Kind.OUTVOTED, "his"));
    assertThat(stage.effects).isEmpty();
    assertThat(ask().reports())
        .containsExactly(
            new SuspectReport("bob", new Suspect(LIAR, Kind.OUTVOTED, "his", 1), 1_000_007),
            new SuspectReport("alice", new Suspect(LIAR, Kind.OUTVOTED, "second", 2), 1_000_007));
  }

  @Test
  void forgetsWhatWasRepeatedLongestAgo() {
    stage.receive(ALICE, report(new ServerId(1), Kind.OUTVOTED, "oldest"));
    stage.receive(ALICE, report(new ServerId(2), Kind.OUTVOTED, "old"));
    stage.receive(ALICE, report(new ServerId(1), Kind.OUTVOTED, "repeated"));
    stage.receive(ALICE, report(LIAR, Kind.OUTVOTED, "new"));
    stage.receive(BOB, report(LIAR, Kind.OUTVOTED, "newest"));
    assertThat(ask().reports())
        .extracting(it -> it.suspect().detail())
        .containsExactly("newest", "new", "repeated");
  }

  @Test
  void letsNobodyPushOutWhatOthersHaveReported() {
    stage.receive(BOB, report(LIAR, Kind.CONTRADICTION, "his"));
    for (int server = 0; server < 4; server++) {
      stage.receive(ALICE, report(new ServerId(server), Kind.CONTRADICTION, "hers"));
    }
    assertThat(ask().reports()).extracting(SuspectReport::reporter).contains("bob").hasSize(3);
  }

  @Test
  void forgetsWhatAnOperatorClears() {
    stage.receive(BOB, report(LIAR, Kind.CONTRADICTION, "cleared"));
    stage.receive(ALICE, report(SELF, Kind.CONTRADICTION, "stays"));
    stage.receive(ALICE, new ClearReports(8, LIAR));
    ServerStatus answer = (ServerStatus) stage.sends().get(0).message();
    assertThat(answer.nonce()).isEqualTo(8);
    assertThat(answer.reports()).extracting(it -> it.suspect().detail()).containsExactly("stays");
  }

  @Test
  void countsWhoAccusesAServer() {
    stage.receive(BOB, report(LIAR, Kind.CONTRADICTION, "his"));
    stage.receive(BOB, report(LIAR, Kind.CONTRADICTION, "again"));
    stage.receive(ALICE, report(LIAR, Kind.CONTRADICTION, "hers"));
    stage.receive(ALICE, report(SELF, Kind.OUTVOTED, "no accusation"));
    assertThat(server.accusers()).containsExactly(Map.entry(LIAR, 2));
    stage.wallMillis += StatusServer.EXPIRY_MILLIS + 1;
    stage.receive(BOB, report(SELF, Kind.CONTRADICTION, "new"));
    ServerStatus unused = ask();
    assertThat(server.accusers()).as("the others are over").containsExactly(Map.entry(SELF, 1));
    stage.receive(ALICE, new ClearReports(8, SELF));
    assertThat(server.accusers()).isEmpty();
  }

  @Test
  void hearsReportsOfThoseOnlyWhoMayDoSomething() {
    Rights rights =
        Rights.of(List.of(Grant.of("bob", Set.of(Right.LOCK), "jobs/")), List.of("carol"));
    ReportSuspects report = report(LIAR, Kind.CONTRADICTION, "so they say");
    assertThat(report.isAllowed(rights, "bob")).isTrue();
    assertThat(report.isAllowed(rights, "carol")).isFalse();
    assertThat(new ClearReports(1, LIAR).isAllowed(rights, "bob")).isFalse();
  }

  @Test
  void forgetsReportsAfterADay() {
    stage.receive(ALICE, report(LIAR, Kind.CONTRADICTION, "old"));
    stage.wallMillis += StatusServer.EXPIRY_MILLIS;
    stage.receive(BOB, report(LIAR, Kind.CONTRADICTION, "new"));
    assertThat(ask().reports()).hasSize(2);
    stage.wallMillis++;
    assertThat(ask().reports()).extracting(SuspectReport::reporter).containsExactly("bob");
  }

  @Test
  void ignoresReportsOfServersThatDoNotExist() {
    stage.receive(ALICE, report(new ServerId(4), Kind.CONTRADICTION, "who?"));
    assertThat(ask().reports()).isEmpty();
  }
}
