package billing;

import io.testudo.client.TestudoCluster;
import org.junit.jupiter.api.Test;

/** On servers in this process, of which one is away. */
class EmbeddedClusterTest {
  @Test
  void worksWithOneServerAway() throws Exception {
    try (TestudoCluster cluster = TestudoCluster.start(4, 1);
        Instances instances = new Instances()) {
      cluster.stop(3);
      instances.start(cluster.client());
      instances.start(cluster.client());
      instances.check();
    }
  }
}
