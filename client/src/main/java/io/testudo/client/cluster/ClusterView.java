package io.testudo.client.cluster;

import com.google.common.collect.ImmutableList;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.client.inquiry.ServerStatus;
import io.testudo.client.inquiry.Suspect;
import io.testudo.client.inquiry.SuspectReport;
import io.testudo.client.status.ServerFault;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.SurveyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * A cluster at one moment: what its servers say of themselves, what they say of each other, and
 * what clients have reported.
 *
 * @param accusations for which enough servers vouch that one of them is correct
 */
public record ClusterView(
    Thresholds thresholds,
    ImmutableList<Server> servers,
    ImmutableList<SuspectReport> accusations,
    boolean hasQuorum) {

  /**
   * One server.
   *
   * @param view what the survey says, if there was one
   * @param status what it says of itself; only for who may administer
   * @param clockOffsetMillis how far its clock is ahead of ours, give or take the round trip
   */
  public record Server(
      ServerId server,
      Optional<ServerView> view,
      Optional<ServerStatus> status,
      Optional<Long> roundTripNanos,
      Optional<Long> clockOffsetMillis,
      ImmutableList<ServerFault> faults) {
    Server with(ServerFault fault) {
      ImmutableList<ServerFault> all =
          ImmutableList.<ServerFault>builder().addAll(faults).add(fault).build();
      return new Server(server, view, status, roundTripNanos, clockOffsetMillis, all);
    }
  }

  /**
   * Puts together what was asked.
   *
   * @param survey empty if fewer than a quorum answered
   * @param answered those that answered then
   * @param statuses empty if this client may not ask
   * @param settings the fingerprint of this client's settings
   * @param principal who looks, and believes itself
   */
  public static ClusterView of(
      Thresholds thresholds,
      Optional<SurveyResult> survey,
      ServerSet answered,
      Optional<Answers<ServerStatus>> statuses,
      String settings,
      String principal) {
    ImmutableList<SuspectReport> accusations =
        statuses.map(answers -> accusations(answers, thresholds)).orElse(ImmutableList.of());
    ImmutableList.Builder<Server> servers = ImmutableList.builder();
    for (ServerId server : ServerSet.firstN(thresholds.servers())) {
      Optional<ServerView> view = survey.map(result -> result.of(server));
      Optional<ServerStatus> status = statuses.flatMap(answers -> only(answers, server));
      boolean here = answered.contains(server) || view.map(ServerView::answered).orElse(false);
      servers.add(
          new Server(
              server,
              view,
              status,
              view.filter(ServerView::answered).map(ServerView::roundTripNanos),
              statuses.flatMap(answers -> clockOffset(answers, status, server)),
              faults(
                  here,
                  view,
                  status,
                  settings,
                  isAccused(server, accusations, thresholds, principal))));
    }
    return new ClusterView(thresholds, servers.build(), accusations, survey.isPresent());
  }

  /** How far its clock is ahead of ours, if it read it in the middle of the round trip. */
  private static Optional<Long> clockOffset(
      Answers<ServerStatus> answers, Optional<ServerStatus> status, ServerId server) {
    Long arrived = answers.wallMillis().get(server);
    Long roundTrip = answers.roundTripNanos().get(server);
    return arrived == null || roundTrip == null
        ? Optional.empty()
        : status.map(own -> own.wallMillis() - (arrived - roundTrip / 2_000_000));
  }

  private static boolean isAccused(
      ServerId server, List<SuspectReport> accusations, Thresholds thresholds, String principal) {
    List<String> reporters =
        accusations.stream()
            .filter(report -> report.suspect().server().equals(server))
            .filter(report -> report.suspect().kind() == Suspect.Kind.CONTRADICTION)
            .map(SuspectReport::reporter)
            .toList();
    return reporters.size() >= thresholds.vouchers() || reporters.contains(principal);
  }

  private static Optional<ServerStatus> only(Answers<ServerStatus> answers, ServerId server) {
    return answers.pages().get(server).stream()
        .filter(status -> status.server().equals(server))
        .findFirst();
  }

  private static ImmutableList<ServerFault> faults(
      boolean answered,
      Optional<ServerView> view,
      Optional<ServerStatus> status,
      String settings,
      boolean accused) {
    ImmutableList.Builder<ServerFault> faults = ImmutableList.builder();
    if (!answered) {
      faults.add(ServerFault.SILENT);
    }
    if (view.filter(it -> it.quietMillis() > 0).isPresent()) {
      faults.add(ServerFault.QUIET);
    }
    if (view.map(ServerView::standing).filter(ServerView.Standing.FORGETFUL::equals).isPresent()) {
      faults.add(ServerFault.FORGETFUL);
    }
    if (status.filter(own -> !own.settings().equals(settings)).isPresent()) {
      faults.add(ServerFault.OTHER_SETTINGS);
    }
    if (accused) {
      faults.add(ServerFault.CONTRADICTS);
    }
    return faults.build();
  }

  private record Key(String reporter, ServerId suspect, Suspect.Kind kind) {}

  /** Of the numbers that servers tell, one that a correct server tells, or a smaller one. */
  private static ImmutableList<SuspectReport> accusations(
      Answers<ServerStatus> answers, Thresholds thresholds) {
    Map<Key, List<SuspectReport>> told = new HashMap<>();
    for (ServerId server : answers.pages().keySet()) {
      Set<Key> seen = new HashSet<>(); // A server that tells a report twice counts once.
      for (SuspectReport report :
          only(answers, server).map(ServerStatus::reports).orElse(ImmutableList.of())) {
        Key key = new Key(report.reporter(), report.suspect().server(), report.suspect().kind());
        if (seen.add(key)) {
          told.computeIfAbsent(key, any -> new ArrayList<>()).add(report);
        }
      }
    }
    int vouchers = thresholds.vouchers();
    List<SuspectReport> vouched = new ArrayList<>();
    told.forEach(
        (key, reports) -> {
          if (reports.size() >= vouchers) {
            vouched.add(
                new SuspectReport(
                    key.reporter(),
                    new Suspect(
                        key.suspect(),
                        key.kind(),
                        vouchedDetail(reports, vouchers),
                        vouched(reports, vouchers, report -> report.suspect().count())),
                    vouched(reports, vouchers, SuspectReport::lastWallMillis)));
          }
        });
    vouched.sort(
        Comparator.comparingInt((SuspectReport report) -> report.suspect().server().index())
            .thenComparing(SuspectReport::reporter)
            .thenComparing(report -> report.suspect().kind()));
    return ImmutableList.copyOf(vouched);
  }

  private static long vouched(
      List<SuspectReport> reports, int vouchers, ToLongFunction<SuspectReport> number) {
    long[] sorted = reports.stream().mapToLong(number).sorted().toArray();
    return sorted[sorted.length - vouchers];
  }

  /** A text is shown only if a correct server has it: others would put words into a mouth. */
  private static String vouchedDetail(List<SuspectReport> reports, int vouchers) {
    Map<String, Integer> tellers = new HashMap<>();
    for (SuspectReport report : reports) {
      String detail = report.suspect().detail();
      if (tellers.merge(detail, 1, Integer::sum) >= vouchers) {
        return detail;
      }
    }
    return "";
  }

  /** The same, with what servers say of their memories of objects. */
  ClusterView with(Answers<MemoryPage> memories) {
    ImmutableList.Builder<Server> all = ImmutableList.builder();
    for (Server one : servers) {
      List<MemoryPage> pages = memories.pages().get(one.server());
      if (pages.isEmpty() && !one.faults().contains(ServerFault.SILENT)) {
        all.add(one.with(ServerFault.STUCK));
      } else if (pages.stream().allMatch(MemoryPage::isComplete)) {
        all.add(one);
      } else {
        all.add(one.with(ServerFault.INCOMPLETE));
      }
    }
    return new ClusterView(thresholds, all.build(), accusations, hasQuorum);
  }

  /** How many servers may have broken a promise. */
  public int lying() {
    return (int)
        servers.stream()
            .filter(server -> server.faults().stream().anyMatch(ServerFault::mayLie))
            .count();
  }

  /** How many servers count as failing now. */
  public int failing() {
    return (int) servers.stream().filter(server -> !server.faults().isEmpty()).count();
  }

  /** How many more may fail; negative if these are too many already. */
  public int faultsLeft() {
    return thresholds.faultsLeft(failing());
  }
}
