package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.ServerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that have just started grant no lock; who asks them for one learns why. */
@Timeout(180)
class RestartedServersTest {
  private static final List<ServerId> RESTARTED = List.of(new ServerId(1), new ServerId(3));

  static Stream<LockProtocol> backends() {
    // Longer than the test may take: they do not begin to grant meanwhile.
    LockTiming timing = LockTiming.standard().withMaxHold(Duration.ofMinutes(10));
    SigmaTuning quarantine = SigmaTuning.standard().withQuarantine(true);
    return Stream.of(
        new BackoffProtocol(timing),
        new SigmaProtocol(timing, quarantine, Optional.empty(), Optional.empty()));
  }

  @ParameterizedTest
  @MethodSource("backends")
  void areNamedToWhoWaitedInVain(LockProtocol backend) throws InterruptedException {
    try (LockCluster cluster = LockCluster.start(4, 1, backend);
        LockClient client = cluster.client("alice")) {
      DistributedLock lock = client.lock("orders");
      if (backend instanceof BackoffProtocol) {
        lock.acquire().close(); // What these have granted they know from their disks.
      }
      for (ServerId server : RESTARTED) {
        cluster.stop(server);
        cluster.restart(server);
      }
      NotAcquiredException failure = inVain(lock);
      while (!failure.reasons().keySet().containsAll(RESTARTED)) {
        failure = inVain(lock); // They were not connected again yet.
      }
      assertThat(failure).hasMessageContaining("s1 restarted and grants no locks for another");
    }
  }

  private static NotAcquiredException inVain(DistributedLock lock) throws InterruptedException {
    LockOptions impatient = LockOptions.standard().withMaxWait(Duration.ofSeconds(1));
    while (true) {
      try (Lease unexpected = lock.acquire(impatient)) {
        throw new AssertionError("held, though two of four grant nothing: " + unexpected);
      } catch (NotAcquiredException e) {
        return e;
      } catch (NoQuorumException e) {
        // Too few were connected.
      }
    }
  }
}
