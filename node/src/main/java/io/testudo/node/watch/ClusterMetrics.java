package io.testudo.node.watch;

import io.testudo.client.cluster.ClusterView;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.inquiry.Suspect;
import io.testudo.client.inquiry.SuspectReport;
import io.testudo.client.status.ServerFault;
import io.testudo.node.web.MetricsText;
import io.testudo.quorum.ServerId;
import java.util.Map;
import java.util.TreeMap;

/**
 * A look at a cluster in figures. They name servers, and no lock, object or principal: such labels
 * would have no end, and are not for everybody.
 */
final class ClusterMetrics {
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final String SERVER = "server";

  private final ClusterLook look;
  private final MetricsText text = new MetricsText();

  private ClusterMetrics(ClusterLook look) {
    this.look = look;
  }

  static String of(ClusterLook look, ClientConfig config) {
    ClusterMetrics metrics = new ClusterMetrics(look);
    metrics.cluster(config);
    metrics.servers();
    metrics.reports();
    metrics.names();
    return metrics.text.toString();
  }

  private void gauge(String name, String help, long value) {
    text.gauge(name, help);
    text.value(name, value);
  }

  private void cluster(ClientConfig config) {
    ClusterView view = look.view();
    text.gauge("testudo_cluster_look_timestamp_seconds", "When the cluster was last looked at.");
    text.number(
        "testudo_cluster_look_timestamp_seconds", look.at().toEpochMilli() / MILLIS_PER_SECOND);
    gauge("testudo_cluster_servers", "Servers of the cluster, n.", view.thresholds().servers());
    gauge("testudo_cluster_byzantine", "How many may fail or lie, b.", view.thresholds().faults());
    gauge("testudo_cluster_answering", "Servers that answer.", look.answering());
    gauge(
        "testudo_cluster_has_quorum",
        "1 if enough of them answer to serve clients.",
        view.hasQuorum() ? 1 : 0);
    gauge("testudo_cluster_failing", "Servers with something wrong.", view.failing());
    gauge("testudo_cluster_lying", "Those that may have broken a promise.", view.lying());
    gauge(
        "testudo_cluster_faults_left",
        "How many more may fail; below 0 these are too many.",
        view.faultsLeft());
    text.gauge("testudo_cluster_max_skew_seconds", "lock.max-skew: how far clocks may differ.");
    text.number(
        "testudo_cluster_max_skew_seconds",
        config.common().lock().timing().maxSkewMillis() / MILLIS_PER_SECOND);
  }

  private void servers() {
    text.gauge("testudo_cluster_server_fault", "1 if the server has this fault.");
    for (ClusterView.Server server : look.view().servers()) {
      for (ServerFault fault : ServerFault.values()) {
        text.value(
            "testudo_cluster_server_fault",
            SERVER,
            server.server().toString(),
            "fault",
            ServerRow.name(fault),
            server.faults().contains(fault) ? 1 : 0);
      }
    }
    text.gauge("testudo_cluster_server_round_trip_seconds", "Until it answered.");
    for (ClusterView.Server server : look.view().servers()) {
      server
          .roundTripNanos()
          .ifPresent(
              nanos ->
                  text.number(
                      "testudo_cluster_server_round_trip_seconds",
                      SERVER,
                      server.server().toString(),
                      nanos / NANOS_PER_SECOND));
    }
    text.gauge(
        "testudo_cluster_server_clock_offset_seconds",
        "How far its clock is ahead of that of who looks, as it says.");
    for (ClusterView.Server server : look.view().servers()) {
      server
          .clockOffsetMillis()
          .ifPresent(
              millis ->
                  text.number(
                      "testudo_cluster_server_clock_offset_seconds",
                      SERVER,
                      server.server().toString(),
                      millis / MILLIS_PER_SECOND));
    }
  }

  private void reports() {
    Map<ServerId, Integer> accusers = new TreeMap<>();
    look.view().servers().forEach(server -> accusers.put(server.server(), 0));
    for (SuspectReport report : look.view().accusations()) {
      if (report.suspect().kind() == Suspect.Kind.CONTRADICTION) {
        accusers.merge(report.suspect().server(), 1, Integer::sum);
      }
    }
    text.gauge(
        "testudo_cluster_server_accusers",
        "Principals that say it said what no correct server says; b+1 servers have their reports.");
    accusers.forEach(
        (server, count) ->
            text.value("testudo_cluster_server_accusers", SERVER, server.toString(), count));
  }

  private void names() {
    NameLists names = look.names();
    gauge(
        "testudo_cluster_locks_held",
        "Locks that are held, of the first 256 in use.",
        names.locks().stream().filter(lock -> lock.holder() != null).count());
    gauge(
        "testudo_cluster_lock_waiters",
        "Who waits for these locks, 32 for each at most.",
        names.locks().stream().mapToLong(lock -> lock.waiters().size()).sum());
    gauge("testudo_cluster_objects", "Objects, 256 at most are counted.", names.objects().size());
  }
}
