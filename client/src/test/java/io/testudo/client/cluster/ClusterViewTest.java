package io.testudo.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.client.inquiry.ServerStatus;
import io.testudo.client.inquiry.Suspect;
import io.testudo.client.inquiry.SuspectReport;
import io.testudo.client.status.ServerFault;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.SurveyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterViewTest {
  private static final Thresholds FOUR = Need.PING.thresholds(4, 1);
  private static final ServerId S3 = new ServerId(3);

  private final List<ServerView> views = new ArrayList<>();
  private final ImmutableListMultimap.Builder<ServerId, ServerStatus> statuses =
      ImmutableListMultimap.builder();

  ClusterViewTest() {
    for (int index = 0; index < 4; index++) {
      views.add(new ServerView(new ServerId(index), true, 2, 2, 2, 1_000_000, 0));
    }
  }

  private void says(int server, String settings, SuspectReport... reports) {
    statuses.put(
        new ServerId(server),
        new ServerStatus(
            1, new ServerId(server), "1", settings, 5, 10_050, ImmutableList.copyOf(reports)));
  }

  private static SuspectReport report(Suspect.Kind kind, long count, long when) {
    return report("alice", kind, "detail", count, when);
  }

  private static SuspectReport report(
      String reporter, Suspect.Kind kind, String detail, long count, long when) {
    return new SuspectReport(reporter, new Suspect(S3, kind, detail, count), when);
  }

  private ClusterView look() {
    return ClusterView.of(
        FOUR,
        Optional.of(new SurveyResult(ImmutableList.copyOf(views))),
        ServerSet.none(),
        Optional.of(
            new Answers<>(
                statuses.build(),
                ServerSet.none(),
                ImmutableMap.of(S3, 100_000_000L),
                ImmutableMap.of(S3, 10_000L))),
        "ours",
        "op");
  }

  @Test
  void findsNothingWrongWhereNothingIs() {
    for (int server = 0; server < 4; server++) {
      says(server, "ours");
    }
    assertThat(look().failing()).isZero();
    assertThat(look().faultsLeft()).isEqualTo(1);
    assertThat(look().servers().get(3).clockOffsetMillis()).contains(100L);
  }

  @Test
  void countsSilentForgetfulAndDifferentServersAsFailing() {
    views.set(0, new ServerView(new ServerId(0), false, 0, 2, 2, 0, 0));
    views.set(1, new ServerView(new ServerId(1), true, 1, 2, 2, 5, 0));
    says(2, "theirs");
    ClusterView view = look();
    assertThat(view.servers())
        .extracting(ClusterView.Server::faults)
        .containsExactly(
            ImmutableList.of(ServerFault.SILENT),
            ImmutableList.of(ServerFault.FORGETFUL),
            ImmutableList.of(ServerFault.OTHER_SETTINGS),
            ImmutableList.of());
    assertThat(view.failing()).isEqualTo(3);
    assertThat(view.faultsLeft()).isEqualTo(-2);
  }

  @Test
  void doesNotAccuseAServerThatWentOnAfterItAnswered() {
    views.set(1, new ServerView(new ServerId(1), true, 2, 2, 4, 5, 0));
    assertThat(look().failing()).isZero();
  }

  @Test
  void believesAReportThatEnoughServersHave() {
    says(0, "ours", report(Suspect.Kind.CONTRADICTION, 5, 100));
    assertThat(look().accusations()).isEmpty();
    says(1, "ours", report(Suspect.Kind.CONTRADICTION, 4, 200));
    assertThat(look().accusations()).containsExactly(report(Suspect.Kind.CONTRADICTION, 4, 100));
  }

  @Test
  void countsAServerAsALiarOnlyIfMorePrincipalsThanLiarsSaySo() {
    says(0, "ours", report(Suspect.Kind.CONTRADICTION, 5, 100));
    says(1, "ours", report(Suspect.Kind.CONTRADICTION, 5, 100));
    assertThat(look().failing()).as("one principal could frame anybody").isZero();
    SuspectReport another = report("bob", Suspect.Kind.CONTRADICTION, "his", 1, 100);
    says(2, "ours", another);
    says(3, "ours", another);
    assertThat(look().servers().get(3).faults()).containsExactly(ServerFault.CONTRADICTS);
    assertThat(look().lying()).isEqualTo(1);
  }

  @Test
  void countsAServerAsALiarIfTheOneThatLooksSaysSo() {
    SuspectReport own = report("op", Suspect.Kind.CONTRADICTION, "seen by myself", 1, 100);
    says(0, "ours", own);
    assertThat(look().failing()).as("one server could have made it up").isZero();
    says(1, "ours", own);
    assertThat(look().servers().get(3).faults()).containsExactly(ServerFault.CONTRADICTS);
  }

  @Test
  void showsNoWordsThatOnlyALiarTells() {
    Suspect.Kind kind = Suspect.Kind.CONTRADICTION;
    says(0, "ours", report("alice", kind, "forged", 5, 100));
    says(3, "ours", report("alice", kind, "s0 is a thief", 5, 100));
    assertThat(look().accusations()).containsExactly(report("alice", kind, "", 5, 100));
    says(1, "ours", report("alice", kind, "forged", 5, 100));
    assertThat(look().accusations()).containsExactly(report("alice", kind, "forged", 5, 100));
  }

  @Test
  void countsAServerThatGrantsNoLocksYetAsFailingButAsNoLiar() {
    views.set(1, new ServerView(new ServerId(1), true, 2, 2, 2, 5, 27_000));
    assertThat(look().servers().get(1).faults()).containsExactly(ServerFault.QUIET);
    assertThat(look().faultsLeft()).isZero();
    assertThat(look().lying()).isZero();
  }

  @Test
  void takesAClockWhenItsAnswerComesAndNotWhenTheLastOneDoes() {
    says(3, "ours");
    // It came at 10,000 after 100 ms, and said 10,050; others may have come much later.
    assertThat(look().servers().get(3).clockOffsetMillis()).contains(100L);
  }

  @Test
  void holdsNothingAgainstAServerThatWasOutvoted() {
    says(0, "ours", report(Suspect.Kind.OUTVOTED, 5, 100));
    says(1, "ours", report(Suspect.Kind.OUTVOTED, 5, 100));
    assertThat(look().accusations()).hasSize(1);
    assertThat(look().failing()).isZero();
  }

  @Test
  void ignoresAStatusInTheNameOfAnother() {
    statuses.put(S3, new ServerStatus(1, new ServerId(0), "1", "theirs", 5, 0, ImmutableList.of()));
    assertThat(look().servers().get(3).status()).isEmpty();
  }

  @Test
  void knowsWhoAnsweredWithoutAQuorum() {
    ClusterView view =
        ClusterView.of(FOUR, Optional.empty(), ServerSet.of(S3), Optional.empty(), "ours", "op");
    assertThat(view.hasQuorum()).isFalse();
    assertThat(view.failing()).isEqualTo(3);
    assertThat(view.servers().get(3).faults()).isEmpty();
  }
}
