package io.testudo.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.QuorumConfigurationException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a deployment chooses about its locks reaches the protocols, and is checked as chosen. */
class LockSettingsTest {
  private static CommonSettings of(Map<String, String> values) {
    return CommonSettings.of(Settings.of("test", values));
  }

  @Test
  void locksAreServedAsWasChosen() {
    Map<String, String> values =
        Map.of(
            "lock.prefixes.q", "sigma",
            "lock.sigma.quarantine", "on",
            "lock.sigma.grants", "3",
            "lock.backoff.law", "linear",
            "lock.backoff.longest-sleep", "3s");
    List<LockProtocol> protocols = of(values).lock().protocols();

    BackoffProtocol backoff = (BackoffProtocol) protocols.get(0);
    assertThat(backoff.tuning().longestSleepNanos()).isEqualTo(3_000_000_000L);
    assertThat(backoff.tuning().law().boundNanos(5, 1)).isEqualTo(5);
    SigmaProtocol sigma = (SigmaProtocol) protocols.get(1);
    assertThat(sigma.tuning().quarantine()).isTrue();
    assertThat(sigma.grants()).contains(3);
  }

  /** With m of n, n-m may be away and 2m-n-1 may forget: both must bear the crashes. */
  @Test
  void refusesGrantsThatDoNotBearTheCrashes() {
    for (int grants = 3; grants <= 5; grants++) {
      CommonSettings chosen =
          of(
              Map.of(
                  "lock.backend", "sigma", "lock.sigma.grants", "" + grants, "lock.crashes", "1"));
      if (grants == 4) {
        chosen.check(5, 0);
      } else {
        assertThatThrownBy(() -> chosen.check(5, 0))
            .as("%d grants", grants)
            .isInstanceOf(QuorumConfigurationException.class);
      }
    }
  }
}
