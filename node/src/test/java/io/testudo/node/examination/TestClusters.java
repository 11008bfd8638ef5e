package io.testudo.node.examination;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.node.config.CommonSettings;
import io.testudo.node.config.LockSettings;
import io.testudo.node.local.FreePorts;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.node.setup.ClusterPlan;
import io.testudo.ordering.protocol.Mode;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.SecurityMode;
import java.nio.file.Path;

/** Clusters of four servers that serve everything that can be examined. */
final class TestClusters {
  private TestClusters() {}

  static ClusterDirectory make(Path path) {
    ClusterDirectory directory = new ClusterDirectory(path);
    var unused =
        directory.make(
            new ClusterPlan(
                "test",
                SecurityMode.HMAC,
                1,
                FreePorts.find(4).stream()
                    .map(port -> new Endpoint("127.0.0.1", port))
                    .collect(ImmutableList.toImmutableList()),
                new CommonSettings(
                    new LockSettings(
                        "backoff",
                        ImmutableSortedMap.of("queued/", "sigma"),
                        1,
                        LockTiming.standard()),
                    Mode.SEALED_STATEMENTS),
                ImmutableSortedSet.of("client")));
    return directory;
  }
}
