package io.testudo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.Settings;
import io.testudo.mutex.DistributedLock;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client that was not told with what kind of keys the others seal. */
@Timeout(60)
class OtherSealsTest {
  private static CommonSettings settings(String mode, String seals) {
    return CommonSettings.of(Settings.of("a test", Map.of("seals", seals, "object.mode", mode)));
  }

  @ParameterizedTest
  @CsvSource({
    "sealed-statements, 4, hmac, ed25519",
    "sealed-statements, 4, ed25519, hmac",
    "sealed-ranks, 5, hmac, ed25519",
  })
  void isToldSoAndChangesNothing(String mode, int servers, String theirs, String own)
      throws InterruptedException {
    try (TestudoCluster cluster =
        TestudoCluster.start(servers, 1, Map.of("seals", theirs, "object.mode", mode))) {
      TestudoClient stranger = cluster.client("stranger", settings(mode, own));
      assertThatExceptionOfType(CompletionException.class)
          .isThrownBy(() -> stranger.counter("visits").increment(5).join())
          .havingCause()
          .isInstanceOfSatisfying(
              NotAllowedException.class,
              refusal -> {
                assertThat(refusal).hasMessageContaining("does not seal as the servers");
                assertThat(refusal).hasMessageContaining("'seals'");
                assertThat(refusal.outcome()).isEqualTo(Outcome.UNKNOWN);
              });
      DistributedLock lock = stranger.lock("till");
      assertThatExceptionOfType(NotAllowedException.class)
          .isThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(30)))
          .withMessageContaining("does not seal as the servers");
      assertThat(cluster.client().counter("visits").increment(1).join()).isEqualTo(1);
    }
  }
}
