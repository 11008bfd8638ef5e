package io.testudo.node.commands;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.client.config.Settings;
import io.testudo.crypto.SealScheme;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.mutex.dht.ring.RingProtocols;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.node.setup.ClusterPlan;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Access;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.SecurityMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code testudo init}: makes the files of a cluster. */
@Command(
    name = "init",
    description = {
      "Makes a new cluster: its description, keys and configurations.",
      "Each server and each client gets a directory of its own, to be moved to its machine."
    },
    customSynopsis = "testudo init [OPTIONS] --servers ADDRESSES --byzantine B DIR",
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo init prod --byzantine 1 \\",
      "    --servers a.example:7001,b.example:7001,c.example:7001,d.example:7001",
      "  testudo server --config prod/s0/server.conf"
    })
public final class InitCommand implements Subcommand {
  @Parameters(paramLabel = "DIR", description = "Where to make it; it must be new or empty.")
  private Path directory;

  @Option(
      names = "--servers",
      required = true,
      split = ",",
      paramLabel = "HOST:PORT",
      converter = Endpoints.class,
      description = "Where the servers listen, separated by commas.")
  private List<Endpoint> servers = new ArrayList<>();

  @Option(
      names = {"--byzantine", "-b"},
      required = true,
      paramLabel = "B",
      description = "How many of the servers may lie; 0 for a ring.")
  private int byzantine;

  @Option(
      names = "--crash",
      defaultValue = "1",
      paramLabel = "F",
      description =
          "How many servers may forget at a time, for lock backends that tolerate no liars "
              + "(default: ${DEFAULT-VALUE}).")
  private int crashes;

  @Option(
      names = "--security",
      defaultValue = "HMAC",
      paramLabel = "MODE",
      description = "hmac (shared keys) or tls (certificates); default: hmac.")
  private SecurityMode security = SecurityMode.HMAC;

  @Option(
      names = "--backend",
      defaultValue = LockSettings.DEFAULT_BACKEND,
      paramLabel = "NAME",
      description =
          "The lock protocol (default: ${DEFAULT-VALUE}). With sigma-dht, e2e, non-e2e or zone the "
              + "servers are the first members of a ring, which has locks and no objects.")
  private String backend = LockSettings.DEFAULT_BACKEND;

  @Option(
      names = "--backend-of",
      paramLabel = "PREFIX=NAME",
      description = "Another lock protocol for names that start so; may be repeated.")
  private Map<String, String> prefixes = new LinkedHashMap<>();

  @Option(
      names = "--object-mode",
      defaultValue = "sealed-statements",
      paramLabel = "MODE",
      converter = Modes.class,
      description = "sealed-statements, sealed-ranks or plain (default: ${DEFAULT-VALUE}).")
  private Mode mode = Mode.SEALED_STATEMENTS;

  @Option(
      names = "--object-turns",
      defaultValue = "rank",
      paramLabel = "BY",
      description =
          "By what clients of an object settle who orders: rank, or lock (its lock first); "
              + "default: ${DEFAULT-VALUE}.")
  private TurnsBy turns = TurnsBy.RANK;

  @Option(
      names = "--quorums",
      defaultValue = "standard",
      paramLabel = "KIND",
      description =
          "Which sets of servers count, for objects and for locks of backoff: standard, least, grid or "
              + "m-grid (docs/quorums.md); default: ${DEFAULT-VALUE}.")
  private String quorums = QuorumKind.STANDARD.word();

  @Option(
      names = "--access",
      defaultValue = "all",
      paramLabel = "FIRST",
      description =
          "Whom clients ask first, for objects and for locks of backoff: all servers, or one quorum; "
              + "default: ${DEFAULT-VALUE}.")
  private Access access = Access.ALL;

  @Option(
      names = "--seals",
      defaultValue = "hmac",
      paramLabel = "KIND",
      converter = SealSchemes.class,
      description =
          "hmac (keys that clients share: whoever has one can seal in the name of others) or "
              + "ed25519 (a signing key of each principal: slower, and nobody speaks for another); "
              + "default: hmac.")
  private SealScheme seals = SealScheme.HMAC_SHA256;

  @Option(
      names = "--max-hold",
      defaultValue = "30s",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "The longest that a lock is held without renewal (default: ${DEFAULT-VALUE}).")
  private Duration maxHold = Duration.ofSeconds(30);

  @Option(
      names = "--delay",
      defaultValue = "100ms",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Delta: how long a message takes at most while all is well "
              + "(default: ${DEFAULT-VALUE}).")
  private Duration delay = Duration.ofMillis(100);

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The name of the cluster; by default that of the directory.")
  private @Nullable String name;

  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "client",
      paramLabel = "NAME",
      description =
          "Principals that may use all names, separated by commas (default: ${DEFAULT-VALUE}). "
              + "There is always one more, admin, which may ask servers about themselves.")
  private List<String> clients = new ArrayList<>();

  @Mixin private Output output;

  /** For picocli. */
  public InitCommand() {}

  private record Row(
      String cluster,
      String directory,
      int servers,
      int byzantine,
      String security,
      String seals,
      List<String> serverConfigs,
      List<String> clientConfigs) {}

  @Override
  public Integer call() {
    if (security == SecurityMode.OPEN) {
      throw new CommandException(
          "A cluster in which nobody proves who they are is for tests in one process; use hmac or"
              + " tls.");
    }
    ClusterDirectory made = new ClusterDirectory(directory);
    ClusterDescription cluster = made.make(plan());
    List<String> serverConfigs = new ArrayList<>();
    for (ServerId server : ServerSet.firstN(cluster.servers())) {
      serverConfigs.add(made.serverConfig(server).toString());
    }
    List<String> clientConfigs =
        cluster.rights().principals().stream()
            .map(made::clientConfig)
            .filter(Files::exists) // Members of a ring have theirs elsewhere.
            .map(Path::toString)
            .toList();
    output.row(
        new Row(
            cluster.name(),
            directory.toString(),
            cluster.servers(),
            cluster.byzantine(),
            cluster.security().modeName(),
            seals.schemeName(),
            serverConfigs,
            clientConfigs),
        text(cluster, serverConfigs, clientConfigs));
    return ExitCode.OK;
  }

  private ClusterPlan plan() {
    try {
      LockTiming timing = LockTiming.standard().withMaxHold(maxHold).withDelay(delay);
      LockSettings lock =
          new LockSettings(
              backend,
              ImmutableSortedMap.copyOf(prefixes),
              ImmutableSortedMap.of(),
              crashes,
              timing,
              chosenForLocks());
      return new ClusterPlan(
          name == null ? nameOfDirectory() : name,
          security,
          byzantine,
          ImmutableList.copyOf(servers),
          new CommonSettings(lock, mode, seals, turns, QuorumKind.named(quorums), access),
          ImmutableSortedSet.copyOf(clients));
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** What is as usual is left out, so that it is the same whether it was said or not. */
  private ImmutableSortedMap<String, String> chosenForLocks() {
    ImmutableSortedMap.Builder<String, String> chosen = ImmutableSortedMap.naturalOrder();
    if (QuorumKind.named(quorums) != QuorumKind.STANDARD) {
      chosen.put(BackoffProtocol.NAME + ".quorums", quorums);
    }
    if (access != Access.ALL) {
      chosen.put(BackoffProtocol.NAME + ".access", Settings.wordOf(access));
    }
    return chosen.buildOrThrow();
  }

  private String nameOfDirectory() {
    Path last = directory.toAbsolutePath().normalize().getFileName();
    return last == null ? "testudo" : last.toString();
  }

  private String text(
      ClusterDescription cluster, List<String> serverConfigs, List<String> clientConfigs) {
    StringBuilder text = new StringBuilder();
    Optional<RingProtocol> ring = RingProtocols.find(backend);
    boolean isRing = ring.isPresent();
    text.append(
        isRing
            ? "Ring %s of %d members, in %s%n"
                .formatted(cluster.name(), cluster.servers(), directory)
            : "Cluster %s: %d servers, of which %d may lie, in %s%n"
                .formatted(cluster.name(), cluster.servers(), cluster.byzantine(), directory));
    ring.ifPresent(
        protocol ->
            text.append(protocol.liarsTolerated(security == SecurityMode.TLS))
                .append(System.lineSeparator()));
    text.append(
        isRing
            ? "Start the first member, and then the others, each on its machine:%n".formatted()
            : "Start each server, on its machine:%n".formatted());
    for (int index = 0; index < serverConfigs.size(); index++) {
      text.append(
          "  testudo server --config %s%s%n"
              .formatted(serverConfigs.get(index), isRing && index == 0 ? " --ring new" : ""));
    }
    text.append("Use it, with one of these in TESTUDO_CONFIG or --config:%n".formatted());
    clientConfigs.forEach(config -> text.append("  %s%n".formatted(config)));
    text.append(
        "Keep %s to yourself: it makes keys for new members."
            .formatted(directory.resolve("secret")));
    return text.toString();
  }
}
