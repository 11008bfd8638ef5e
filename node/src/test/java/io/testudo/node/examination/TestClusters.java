package io.testudo.node.examination;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.node.local.FreePorts;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.node.setup.ClusterPlan;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.SecurityMode;
import java.nio.file.Path;

/** Clusters of four servers, one of which may lie, on free ports of this machine. */
public final class TestClusters {
  /** Locks by backoff, and objects with sealed statements. */
  public static final CommonSettings PLAIN = common(ImmutableSortedMap.of());

  private TestClusters() {}

  private static CommonSettings common(ImmutableSortedMap<String, String> prefixes) {
    return new CommonSettings(
        new LockSettings("backoff", prefixes, 1, LockTiming.standard()), Mode.SEALED_STATEMENTS);
  }

  /** One that serves everything that can be examined. */
  static ClusterDirectory make(Path path) {
    return make(path, common(ImmutableSortedMap.of("queued/", "sigma")), "client");
  }

  public static ClusterDirectory make(Path path, CommonSettings common, String... clients) {
    return make(path, SecurityMode.HMAC, 4, 1, common, clients);
  }

  /** One of another size. */
  public static ClusterDirectory make(
      Path path,
      SecurityMode security,
      int servers,
      int byzantine,
      CommonSettings common,
      String... clients) {
    ClusterDirectory directory = new ClusterDirectory(path);
    var unused =
        directory.make(
            new ClusterPlan(
                "test",
                security,
                byzantine,
                FreePorts.find(servers).stream()
                    .map(port -> new Endpoint("127.0.0.1", port))
                    .collect(ImmutableList.toImmutableList()),
                common,
                ImmutableSortedSet.copyOf(clients)));
    return directory;
  }
}
