package io.testudo.node.setup;

import com.typesafe.config.ConfigUtil;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.client.config.Settings;
import io.testudo.mutex.protocol.LockChoice;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.SecurityMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The texts of configuration files, with what each setting means. */
final class ConfigTexts {
  static final String COMMON = "common.conf";

  private static final int COLUMNS = 80;
  private static final int ADMIN_PORT_DISTANCE = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private ConfigTexts() {}

  static String common(CommonSettings common) {
    LockTiming timing = common.lock().timing();
    StringBuilder text = new StringBuilder();
    line(text, "# The same for all servers and clients of the cluster. Restart all to change it.");
    line(text, "lock {");
    line(text, "  backend = " + common.lock().backend());
    line(text, "  # Other protocols for names that start so, such as: \"batch/\" = sigma");
    line(text, "  prefixes {");
    for (Map.Entry<String, String> choice : common.lock().prefixes().entrySet()) {
      line(text, "    " + ConfigUtil.quoteString(choice.getKey()) + " = " + choice.getValue());
    }
    line(text, "  }");
    line(
        text,
        "  # Where a prefix has changed its protocol (docs/decisions/0008): its lowest token.");
    line(text, "  fence-floors {");
    for (Map.Entry<String, Long> floor : common.lock().fenceFloors().entrySet()) {
      line(text, "    " + ConfigUtil.quoteString(floor.getKey()) + " = " + floor.getValue());
    }
    line(text, "  }");
    line(text, "  # How many servers may forget at a time (sigma, where none may lie).");
    line(text, "  crashes = " + common.lock().crashes());
    line(text, "  # The longest that a lock is held without renewal.");
    line(text, "  max-hold = " + millis(timing.maxHoldNanos()));
    line(text, "  # How long a message takes at most while all is well (delta).");
    line(text, "  delay = " + millis(timing.delayNanos()));
    line(text, "  # By how much the rate of a clock errs at most: 0.01 is one percent.");
    line(text, "  drift = " + timing.drift());
    line(text, "  # How often one who waits shows that it still does.");
    line(text, "  refresh = " + millis(timing.refreshNanos()));
    line(text, "  # How far ahead of its own clock a client believes a rank without proof.");
    line(text, "  max-skew = " + timing.maxSkewMillis() + "ms");
    for (LockProtocol protocol : common.lock().protocols()) {
      choices(text, protocol.name(), protocol.choices(), common.lock());
    }
    common
        .lock()
        .ring()
        .ifPresent(ring -> choices(text, ring.name(), ring.choices(), common.lock()));
    line(text, "}");
    line(text, "# How much of what clients say about objects is sealed:");
    line(text, "# sealed-statements, sealed-ranks or plain.");
    line(text, "object.mode = " + common.objectMode().need().modeName());
    line(text, "# By what clients of an object settle who orders: rank, or lock (the lock");
    line(text, "# 'object:NAME' first; docs/decisions/0020).");
    line(text, "object.turns = " + Settings.wordOf(common.objectTurns()));
    line(text, "# Which sets of servers count for objects: standard, least, grid or m-grid.");
    line(text, "object.quorums = " + common.objectQuorums().word());
    line(text, "# Whom clients of objects ask first: all servers, or one quorum of them.");
    line(text, "object.access = " + Settings.wordOf(common.objectAccess()));
    line(text, "# With what clients seal: hmac (keys that groups of them share) or ed25519");
    line(text, "# (a key of each principal, whose public half is in the cluster file).");
    line(text, "seals = " + common.seals().schemeName());
    return text.toString();
  }

  private static void choices(
      StringBuilder text, String protocol, List<LockChoice> choices, LockSettings lock) {
    line(text, "  " + protocol + " {");
    for (LockChoice choice : choices) {
      String key = protocol + "." + choice.key();
      comment(text, "    # ", choice.reason());
      line(
          text, "    " + choice.key() + " = " + lock.chosen().getOrDefault(key, choice.standard()));
    }
    line(text, "  }");
  }

  /** As many lines as it takes. */
  private static void comment(StringBuilder text, String start, String sentence) {
    StringBuilder line = new StringBuilder(start);
    for (String word : sentence.split(" ", -1)) {
      if (line.length() + word.length() > COLUMNS) {
        line(text, line.toString().stripTrailing());
        line = new StringBuilder(start);
      }
      line.append(word).append(' ');
    }
    line(text, line.toString().stripTrailing());
  }

  static String server(ClusterDescription cluster, ServerId server) {
    Endpoint endpoint = cluster.endpoint(server);
    StringBuilder text = new StringBuilder();
    line(text, "# Server " + server + " of cluster " + cluster.name() + ".");
    line(text, "include required(\"" + COMMON + "\")");
    line(text, "server = " + server);
    line(text, "cluster-file = \"" + ClusterDirectory.CLUSTER_FILE + "\"");
    if (cluster.security() == SecurityMode.HMAC) {
      line(text, "keys = \"" + ClusterDirectory.SERVER_KEYS + "\"");
    }
    tls(text, cluster);
    line(text, "# Its journals. They are its memory: never copy or restore them.");
    line(text, "data = \"data\"");
    line(
        text, "# Whether what it promises survives a loss of power, or only the end of a process.");
    line(text, "sync = true");
    line(text, "# Where clients reach it; by default as in the cluster file.");
    line(text, "listen = \"" + endpoint + "\"");
    line(text, "# Metrics, health and status, for operators; or: none");
    line(text, "admin = \"" + new Endpoint("127.0.0.1", adminPort(endpoint)) + "\"");
    line(text, "# Read again on SIGHUP, as are the rights in the cluster file.");
    limitsAndLog(text);
    return text.toString();
  }

  private static void limitsAndLog(StringBuilder text) {
    line(text, "limits {");
    line(text, "  connections = 10000");
    line(text, "  connections-per-address = 1024");
    line(text, "  connections-per-principal = 1024");
    line(text, "  handshake = 5s");
    line(text, "  frame = 10s");
    line(text, "  idle = 60s");
    line(text, "}");
    line(text, "# level: debug, info, warn or error; format: json or text");
    line(text, "log { level = info, format = json }");
  }

  static String ringMember(ClusterDescription cluster, String member, Endpoint address) {
    StringBuilder text = new StringBuilder();
    line(text, "# Member " + member + " of ring " + cluster.name() + ".");
    line(text, "include required(\"" + COMMON + "\")");
    line(text, "member = " + ConfigUtil.quoteString(member));
    line(text, "# The servers in it are where members and clients enter.");
    line(text, "cluster-file = \"" + ClusterDirectory.CLUSTER_FILE + "\"");
    if (cluster.security() == SecurityMode.HMAC) {
      line(text, "# By which all members take connections.");
      line(text, "keys = \"" + ClusterDirectory.SERVER_KEYS + "\"");
      line(text, "# By which this one dials others.");
      line(text, "member-keys = \"" + ClusterDirectory.CLIENT_KEYS + "\"");
    }
    tls(text, cluster);
    line(text, "# Where others reach it, and where it listens if that differs.");
    line(text, "address = \"" + address + "\"");
    line(text, "listen = \"" + address + "\"");
    line(text, "# Metrics, health and status, for operators; or: none");
    line(text, "admin = \"" + new Endpoint("127.0.0.1", adminPort(address)) + "\"");
    line(text, "# The rights in the cluster file are read again on SIGHUP.");
    limitsAndLog(text);
    return text.toString();
  }

  static String client(ClusterDescription cluster, String principal) {
    StringBuilder text = new StringBuilder();
    line(text, "# Principal " + principal + " of cluster " + cluster.name() + ".");
    line(text, "include required(\"" + COMMON + "\")");
    line(text, "principal = " + ConfigUtil.quoteString(principal));
    line(text, "cluster-file = \"" + ClusterDirectory.CLUSTER_FILE + "\"");
    line(text, "keys = \"" + ClusterDirectory.CLIENT_KEYS + "\"");
    if (cluster.signingKeys().containsKey(principal)) {
      line(text, "signing-key = \"" + ClusterDirectory.SIGNING_KEY + "\"");
    }
    tls(text, cluster);
    line(text, "# How long commands wait for servers unless they are told otherwise.");
    line(text, "timeout = 5s");
    return text.toString();
  }

  private static void tls(StringBuilder text, ClusterDescription cluster) {
    if (cluster.security() == SecurityMode.TLS) {
      line(text, "tls {");
      line(text, "  certificate = \"" + ClusterDirectory.CERTIFICATE + "\"");
      line(text, "  private-key = \"" + ClusterDirectory.PRIVATE_KEY + "\"");
      line(text, "  authority = \"" + ClusterDirectory.AUTHORITY + "\"");
      line(text, "}");
    }
  }

  /** Beside the server's own, where there is room. */
  private static int adminPort(Endpoint endpoint) {
    int above = endpoint.port() + ADMIN_PORT_DISTANCE;
    return above <= Endpoint.MAX_PORT ? above : endpoint.port() - ADMIN_PORT_DISTANCE;
  }

  private static String millis(long nanos) {
    return nanos % NANOS_PER_MILLI == 0
        ? String.format(Locale.ROOT, "%dms", nanos / NANOS_PER_MILLI)
        : nanos + "ns";
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append('\n');
  }
}
