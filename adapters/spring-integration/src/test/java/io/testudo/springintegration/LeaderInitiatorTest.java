package io.testudo.springintegration;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.junit.TestudoClusterExtension;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's own leader election on these locks. */
class LeaderInitiatorTest {
  /** A hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 60;

  @RegisterExtension
  private final TestudoClusterExtension cluster = TestudoClusterExtension.of(4, 1);

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  private final class Candidate extends DefaultCandidate {
    Candidate(String id) {
      super(id, "role");
    }

    @Override
    public void onGranted(Context context) {
      super.onGranted(context);
      events.add(getId() + " leads");
    }

    @Override
    public void onRevoked(Context context) {
      super.onRevoked(context);
      events.add(getId() + " led");
    }
  }

  private LockRegistryLeaderInitiator initiator(TestudoClient client, String id) {
    LockRegistryLeaderInitiator initiator =
        new LockRegistryLeaderInitiator(new TestudoLockRegistry(client), new Candidate(id));
    initiator.setHeartBeatMillis(100);
    initiator.setBusyWaitMillis(50);
    return initiator;
  }

  private String next() throws InterruptedException {
    return events.poll(GUARD_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void oneLeadsAndAnotherFollowsIt(TestudoCluster servers) throws Exception {
    LockRegistryLeaderInitiator first = initiator(servers.client(), "first");
    LockRegistryLeaderInitiator second = initiator(servers.client(), "second");
    first.start();
    assertThat(next()).isEqualTo("first leads");
    second.start();
    first.stop();
    assertThat(List.of(next(), next())).containsExactlyInAnyOrder("first led", "second leads");
    second.stop();
    assertThat(next()).isEqualTo("second led");
  }
}
