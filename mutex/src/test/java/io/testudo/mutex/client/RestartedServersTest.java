package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.quorum.ServerId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that have just started grant no lock; who asks them for one learns why. */
@Timeout(180)
class RestartedServersTest {
  private static final List<ServerId> RESTARTED = List.of(new ServerId(1), new ServerId(3));

  static Stream<LockBackend> backends() {
    LockTiming timing = LockTiming.standard();
    SigmaTuning quarantine = SigmaTuning.standard().withQuarantine(true);
    return Stream.of(
        new BackoffBackend(timing), new SigmaBackend(timing, quarantine, OptionalInt.empty()));
  }

  @ParameterizedTest
  @MethodSource("backends")
  void areNamedToWhoWaitedInVain(LockBackend backend) throws InterruptedException {
    try (LockCluster cluster = LockCluster.start(4, 1, backend);
        LockClient client = cluster.client("alice")) {
      DistributedLock lock = client.lock("orders");
      if (backend instanceof BackoffBackend) {
        lock.acquire().close(); // What these have granted they know from their disks.
      }
      for (ServerId server : RESTARTED) {
        cluster.stop(server);
        cluster.restart(server);
      }
      LockOptions impatient = LockOptions.standard().withMaxWait(Duration.ofSeconds(3));
      assertThatExceptionOfType(NotAcquiredException.class)
          .isThrownBy(() -> lock.acquire(impatient))
          .satisfies(
              failure -> assertThat(failure.reasons().keySet()).containsAll(RESTARTED),
              failure ->
                  assertThat(failure)
                      .hasMessageContaining("s1 restarted and grants no locks for another"));
    }
  }
}
