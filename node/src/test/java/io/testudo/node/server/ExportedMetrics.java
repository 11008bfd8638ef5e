package io.testudo.node.server;

import io.testudo.node.watch.ShownCluster;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All metrics that there are: of a server, of who watches a cluster, and of a member of a ring. */
public final class ExportedMetrics {
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? -?[0-9.]+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\"");

  private ExportedMetrics() {}

  /** By name, the labels of each. */
  public static Map<String, Set<String>> in(Path temporary) throws Exception {
    Map<String, Set<String>> found = new TreeMap<>();
    try (ShownCluster shown =
        new ShownCluster(temporary.resolve("cluster"), Duration.ofMillis(20))) {
      shown.accuse("alice", 2, "so that there is a suspect");
      var unused = shown.when(seen -> !seen.getAsJsonArray("reports").isEmpty());
      read(shown.get("metrics").substring("200 ".length()), found);
      ServerNode server = shown.servers().node(new ServerId(0));
      try (Socket stranger = new Socket()) {
        Endpoint listen = server.config().listen();
        stranger.connect(new InetSocketAddress(listen.host(), listen.port()));
        stranger.getOutputStream().write(new byte[64]);
        int unusedByte = stranger.getInputStream().read(); // Until it is refused, and counted.
      }
      while (server.accusers().isEmpty() || server.server().counters().counts().isEmpty()) {
        Thread.onSpinWait();
      }
      read(Metrics.of(server), found);
    }
    try (ShownAdmin ring = ShownAdmin.ofRing(temporary.resolve("ring"))) {
      read(ring.metrics(), found);
    }
    return found;
  }

  private static void read(String text, Map<String, Set<String>> found) {
    for (String line : text.split("\n", -1)) {
      if (line.isEmpty() || line.startsWith("# HELP ")) {
        continue;
      }
      if (line.startsWith("# TYPE ")) {
        String[] words = line.split(" ", -1);
        if (!words[3].equals("summary")) {
          Set<String> unused = found.computeIfAbsent(words[2], any -> new TreeSet<>());
        }
        continue;
      }
      Matcher sample = SAMPLE.matcher(line);
      if (!sample.matches()) {
        throw new AssertionError("no line of the format: " + line);
      }
      Set<String> labels = found.computeIfAbsent(sample.group(1), any -> new TreeSet<>());
      if (sample.group(2) != null) {
        LABEL.matcher(sample.group(2)).results().forEach(label -> labels.add(label.group(1)));
      }
    }
  }
}
