package io.testudo.node.examination;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ClusterView;
import io.testudo.client.cluster.Observer;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.status.ServerFault;
import io.testudo.node.Version;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.ping.ServerView;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks for what is wrong between a client and its cluster, and says what to do. */
public final class Doctor {
  private final ClusterClient cluster;
  private final ClientConfig config;
  private final ClientConfig second;
  private final Duration timeout;
  private final List<Finding> findings = new ArrayList<>();

  /** How bad it is. */
  public enum Verdict {
    OK,
    /** It works, but should be looked after. */
    WARN,
    /** It does not work. */
    FAIL
  }

  /**
   * What was found.
   *
   * @param about a server, or a file
   * @param advice what to do, if anything
   */
  public record Finding(
      String check, String about, Verdict verdict, String detail, @Nullable String advice) {}

  /**
   * Makes one.
   *
   * @param second for a second session, in which servers may speak otherwise
   */
  public Doctor(ClusterClient cluster, ClientConfig second, Duration timeout) {
    this.cluster = cluster;
    this.config = cluster.config();
    this.second = second;
    this.timeout = timeout;
  }

  /** Checks everything; the configuration and the keys could be read, or there were no client. */
  public ImmutableList<Finding> examine() throws InterruptedException {
    ok("config", config.file().toString(), "principal " + config.principal());
    ok(
        "keys",
        config.file().toString(),
        "fit the cluster %s, whose seals are %s"
            .formatted(config.cluster().name(), config.common().seals().schemeName()));
    rights();
    Observer observer = new Observer(cluster, timeout);
    ClusterView view = observer.look();
    for (ClusterView.Server server : view.servers()) {
      examine(server);
    }
    if (!observer.mayAdminister()) {
      add(
          "rights",
          config.principal(),
          Verdict.WARN,
          "may not administer, so versions, settings and clocks could not be compared",
          "run this with the configuration of an administrator");
    }
    quorum(view);
    if (view.hasQuorum()) {
      conduct(awaitReadmission(view));
    }
    return ImmutableList.copyOf(findings);
  }

  private void rights() {
    boolean any =
        config.cluster().rights().grantsOf(config.principal()).stream()
            .anyMatch(grant -> !grant.rights().equals(Set.of(Right.ADMINISTER)));
    if (any) {
      ok("rights", config.principal(), "has rights to names");
    } else {
      add(
          "rights",
          config.principal(),
          Verdict.WARN,
          "may use no name",
          "grant it rights in the cluster files, or use another principal");
    }
  }

  private void examine(ClusterView.Server server) {
    String name = server.server().toString();
    Endpoint endpoint = config.cluster().endpoint(server.server());
    if (server.faults().contains(ServerFault.SILENT)) {
      silent(name, endpoint);
      return;
    }
    ok(
        "reach",
        name,
        server
            .roundTripNanos()
            .map(nanos -> String.format(Locale.ROOT, "answers in %.1f ms", nanos / 1e6))
            .orElse("answers"));
    roundTrip(server, name);
    quiet(server, name);
    if (server.faults().contains(ServerFault.FORGETFUL)) {
      add(
          "memory",
          name,
          Verdict.FAIL,
          "does not know what others have heard of it: it went back to an older copy of its disk, a"
              + " copy of it runs elsewhere, or it lies",
          "see that one process runs as "
              + name
              + "; if its disk was restored, move its journals away, start it once with --readmit,"
              + " run 'testudo readmit', then 'testudo clear "
              + name
              + "'");
    }
    if (server.faults().contains(ServerFault.INCOMPLETE)) {
      add(
          "memory",
          name,
          Verdict.WARN,
          "lost its memory of objects and takes no part in new ones: it was not told which are new",
          "run 'testudo readmit' while all others run, before another server loses its disk");
    }
    if (server.faults().contains(ServerFault.STUCK)) {
      add(
          "objects",
          name,
          Verdict.FAIL,
          "answers, but not for objects: what it has to store does not reach its disk, or it has"
              + " lost its memory of them",
          "ask its /readyz, look at its log and its disk");
    }
    if (server.faults().contains(ServerFault.CONTRADICTS)) {
      add(
          "reports",
          name,
          Verdict.FAIL,
          "said what no correct server says, as clients report",
          "look at the reports with 'testudo status', and at the machine; when it is settled, run"
              + " 'testudo clear %s'".formatted(name));
    }
    server.status().ifPresent(status -> compare(server, status.version(), status.settings()));
    clock(server, name);
  }

  private void quiet(ClusterView.Server server, String name) {
    long millis = server.view().map(ServerView::quietMillis).orElse(0L);
    if (server.view().filter(ServerView::awaitsOperator).isPresent()) {
      add(
          "locks",
          name,
          Verdict.FAIL,
          "has lost its memory of locks and grants none",
          "run 'testudo readmit' while all other servers run");
    } else if (millis > 0) {
      add(
          "locks",
          name,
          Verdict.WARN,
          "grants locks from %s on, in %d s: leases from before its start may still run"
              .formatted(
                  Instant.now().plusMillis(millis).truncatedTo(ChronoUnit.SECONDS),
                  millis / 1_000 + 1),
          "stop no other server before");
    }
  }

  private void silent(String name, Endpoint endpoint) {
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    if (address.isUnresolved()) {
      add(
          "reach",
          name,
          Verdict.FAIL,
          "the host " + endpoint.host() + " has no address",
          "correct the host in the cluster file, or the DNS");
      return;
    }
    try (Socket socket = new Socket()) {
      socket.connect(address, (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE));
      add(
          "reach",
          name,
          Verdict.FAIL,
          "takes connections at " + endpoint + " but does not answer",
          "see that it has the keys of this cluster and names "
              + config.principal()
              + " in its cluster file; its log tells why it refuses");
    } catch (IOException e) {
      add(
          "reach",
          name,
          Verdict.FAIL,
          "cannot be reached at " + endpoint + " (" + e.getMessage() + ")",
          "start it with 'testudo server', or see what is between");
    }
  }

  private void roundTrip(ClusterView.Server server, String name) {
    long bound = config.common().lock().timing().delayNanos() * 2;
    if (server.roundTripNanos().orElse(0L) > bound) {
      add(
          "delay",
          name,
          Verdict.WARN,
          "a round trip took longer than two times lock.delay, connecting included",
          "run 'testudo status --watch', and raise lock.delay everywhere if it stays so");
    }
  }

  private void compare(ClusterView.Server server, String version, String settings) {
    String name = server.server().toString();
    if (version.equals(Version.number())) {
      ok("version", name, version);
    } else {
      add(
          "version",
          name,
          Verdict.WARN,
          "runs " + version + ", this is " + Version.number(),
          "use one version everywhere");
    }
    String own = config.common().print(config.cluster());
    if (settings.equals(own)) {
      ok("settings", name, "agree");
    } else {
      add(
          "settings",
          name,
          Verdict.FAIL,
          "common.conf or the servers in cluster.txt are others there",
          "give all members the same files and restart those that differ");
    }
  }

  private void clock(ClusterView.Server server, String name) {
    if (server.clockOffsetMillis().isEmpty()) {
      return;
    }
    long offset = server.clockOffsetMillis().get();
    long bound = config.common().lock().timing().maxSkewMillis();
    if (Math.abs(offset) <= bound) {
      ok("clock", name, "differs by " + offset + " ms");
    } else {
      add(
          "clock",
          name,
          Verdict.WARN,
          "differs by " + offset + " ms, beyond lock.max-skew of " + bound + " ms",
          "set the clocks by NTP, there or here");
    }
  }

  private void quorum(ClusterView view) {
    if (!view.hasQuorum()) {
      add(
          "quorum",
          config.cluster().name(),
          Verdict.FAIL,
          "fewer than the %d servers answer that are needed".formatted(view.thresholds().quorum()),
          "bring back the servers that fail");
    } else if (view.failing() > 0) {
      add(
          "quorum",
          config.cluster().name(),
          view.faultsLeft() < 0 ? Verdict.FAIL : Verdict.WARN,
          "%d of %d tolerated failures used up"
              .formatted(view.failing(), config.cluster().byzantine()),
          "mend the servers that fail");
    } else {
      ok("quorum", config.cluster().name(), "all servers answer");
    }
  }

  /** Has servers do what they are for, and compares what they say with what they said before. */
  private void conduct(Set<ServerId> awaitReadmission) throws InterruptedException {
    ImmutableList<Observation> observations;
    try (ClusterClient other = ClusterClient.connect(second)) {
      observations = new Examination(cluster, other, timeout).examine();
    }
    if (observations.isEmpty()) {
      add(
          "conduct",
          config.principal(),
          Verdict.WARN,
          "may neither use locks nor read objects, so what servers say could not be examined",
          "run this with the configuration of a principal that may");
    }
    observations.stream()
        .distinct()
        .filter(
            observation ->
                observation.kind() != Observation.Kind.SILENT
                    || !awaitReadmission.contains(observation.server()))
        .forEach(this::conduct);
  }

  /** They do not answer about objects that they may have forgotten, which was said already. */
  private static Set<ServerId> awaitReadmission(ClusterView view) {
    return view.servers().stream()
        .filter(server -> server.faults().contains(ServerFault.INCOMPLETE))
        .map(ClusterView.Server::server)
        .collect(Collectors.toUnmodifiableSet());
  }

  private void conduct(Observation observation) {
    String name = observation.server().toString();
    switch (observation.kind()) {
      case CORRECT -> ok("conduct", name, observation.words());
      case REFUSES ->
          add("conduct", name, Verdict.WARN, observation.words(), "see its log and its settings");
      case SILENT ->
          add(
              "conduct",
              name,
              Verdict.FAIL,
              observation.words() + ", though it answers other questions",
              "look at its log and its disk; whoever uses it waits in vain");
      case ODD ->
          add("conduct", name, Verdict.WARN, observation.words(), "run this again, and compare");
      case LIES -> {
        cluster.report(observation.server(), observation.words());
        add(
            "conduct",
            name,
            Verdict.FAIL,
            observation.words(),
            "no correct server does so: it counts among the b, look at the machine");
      }
    }
  }

  private void ok(String check, String about, String detail) {
    add(check, about, Verdict.OK, detail, null);
  }

  private void add(
      String check, String about, Verdict verdict, String detail, @Nullable String advice) {
    findings.add(new Finding(check, about, verdict, detail, advice));
  }
}
