package io.testudo.mutex.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.mutex.LockOptions;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.Access;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a deployment may choose about lock protocols, and what is refused. */
class LockChoicesTest {
  private static final LockTiming TIMING = LockTiming.standard();

  private static SigmaProtocol sigma(Map<String, String> chosen) {
    return new SigmaProtocol(TIMING).withChoices(new ChosenValues("sigma", chosen));
  }

  private static BackoffProtocol backoff(Map<String, String> chosen) {
    return new BackoffProtocol(TIMING).withChoices(new ChosenValues("backoff", chosen));
  }

  private static Thresholds thresholds(SigmaProtocol sigma, int servers, int byzantine) {
    return sigma.thresholds(servers, byzantine, LockOptions.Servers.ALL);
  }

  private static void assertRefused(LockProtocol protocol, String key, String text, String words) {
    ChosenValues chosen = new ChosenValues(protocol.name(), Map.of(key, text));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> protocol.withChoices(chosen))
        .withMessage("lock.%s.%s is '%s'; choose %s", protocol.name(), key, text, words);
  }

  @Test
  void whatIsNotChosenIsAsUsual() {
    assertThat(sigma(Map.of())).isEqualTo(new SigmaProtocol(TIMING));
    BackoffProtocol usual = backoff(Map.of());
    for (int retry = 1; retry < 20; retry++) {
      assertThat(usual.tuning().law().boundNanos(retry, 3))
          .isEqualTo(new BackoffProtocol(TIMING).tuning().law().boundNanos(retry, 3));
    }
    assertThat(usual.tuning().longestSleepNanos())
        .isEqualTo(new BackoffProtocol(TIMING).tuning().longestSleepNanos());
  }

  @Test
  void theUsualTextsOfAllChoicesAreUnderstood() {
    for (LockProtocol protocol : List.of(new SigmaProtocol(TIMING), new BackoffProtocol(TIMING))) {
      for (LockChoice choice : protocol.choices()) {
        ChosenValues usual =
            new ChosenValues(protocol.name(), Map.of(choice.key(), choice.standard()));
        assertThat(protocol.withChoices(usual).name()).isEqualTo(protocol.name());
        assertThat(choice.reason()).endsWith(".");
      }
    }
  }

  @Test
  void asManyServersGrantAsWereChosen() {
    SigmaProtocol preset = sigma(Map.of("grants", "24", "quarantine", "on"));
    assertThat(thresholds(preset, 32, 0).consents()).isEqualTo(24);
    assertThat(preset.tuning().quarantine()).isTrue();
    assertThat(thresholds(sigma(Map.of("grants", "5")), 7, 1).consents()).isEqualTo(5);
  }

  @Test
  void grantsThatWouldLetTwoInOrNobodyAreRefused() {
    for (String grants : List.of("1", "2", "4", "64")) {
      assertThatExceptionOfType(QuorumConfigurationException.class)
          .as(grants)
          .isThrownBy(() -> thresholds(sigma(Map.of("grants", grants)), 4, 1));
    }
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> thresholds(sigma(Map.of("grants", "2")), 4, 0));
  }

  @Test
  void onlyTheServersThatWereChosenAreAsked() {
    SigmaProtocol few = sigma(Map.of("servers", "4"));
    Thresholds thresholds = thresholds(few, 7, 1);
    assertThat(thresholds.servers()).isEqualTo(4);
    assertThat(thresholds.consents()).isEqualTo(3);
    Machine<ServerId> client =
        few.clientMachine(
            new LockProtocol.Member(thresholds, 1, RankSeals.none(), Entropy.seeded(1)));
    Moment now = new Moment(0, 1_000_000);
    client.step(new Input.Started<>(List.of()), now);
    Acquire wish = Acquire.of("a", 1_000, Acquire.FOREVER);
    assertThat(client.step(new Input.Called<>(new CallId<Held>(1), wish), now))
        .filteredOn(Effect.Send.class::isInstance)
        .hasSize(4);

    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> thresholds(sigma(Map.of("servers", "3")), 7, 1));
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> thresholds(sigma(Map.of("servers", "8")), 7, 1))
        .withMessageContaining("lock.sigma.servers is 8, and the cluster has 7 servers");
  }

  @Test
  void quorumsAreThoseThatWereChosen() {
    BackoffProtocol lines = backoff(Map.of("quorums", "m-grid", "access", "quorum"));
    assertThat(lines.access()).isEqualTo(Access.QUORUM);
    assertThat(lines.withTiming(TIMING)).isEqualTo(lines);
    assertThat(lines.thresholds(64, 1, LockOptions.Servers.ALL).quorum()).isEqualTo(28);
    assertThat(lines.thresholds(64, 1, LockOptions.Servers.QUORUM_FIRST).quorum()).isEqualTo(28);
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> lines.thresholds(7, 1, LockOptions.Servers.ALL))
        .withMessage("an M-grid needs a square number of servers, 7 are configured");
    assertThat(
            backoff(Map.of("quorums", "least"))
                .thresholds(64, 1, LockOptions.Servers.QUORUM)
                .asked())
        .isEqualTo(34);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () -> new SigmaProtocol(TIMING).thresholds(7, 1, LockOptions.Servers.QUORUM_FIRST))
        .withMessageContaining("Sigma asks all servers");
  }

  @Test
  void allClientsOfADeploymentMeetInACorrectServerHoweverTheyAsk() {
    for (QuorumKind kind : QuorumKind.values()) {
      BackoffProtocol protocol = backoff(Map.of("quorums", kind.word()));
      for (int side = 4; side <= 8; side++) {
        int servers = side * side;
        List<Thresholds> all =
            Stream.of(
                    LockOptions.Servers.ALL,
                    LockOptions.Servers.QUORUM_FIRST,
                    LockOptions.Servers.QUORUM)
                .map(asked -> protocol.thresholds(servers, 1, asked))
                .toList();
        for (Thresholds one : all) {
          for (Thresholds other : all) {
            assertThat(one.sharedWith(other)).isGreaterThan(1);
          }
        }
      }
    }
  }

  @Test
  void sleepsGrowAsWasChosen() {
    assertThat(backoff(Map.of("law", "constant")).tuning().law().boundNanos(9, 3)).isEqualTo(3);
    assertThat(backoff(Map.of("law", "linear")).tuning().law().boundNanos(9, 3)).isEqualTo(27);
    assertThat(backoff(Map.of("factor", "3")).tuning().law().boundNanos(2, 3)).isEqualTo(27);
    BackoffProtocol others = backoff(Map.of("unit", "paper", "longest-sleep", "2 s"));
    assertThat(others.tuning().paperUnit()).isTrue();
    assertThat(others.tuning().longestSleepNanos()).isEqualTo(Duration.ofSeconds(2).toNanos());
  }

  @Test
  void whatCannotBeIsRefusedWithWhatCan() {
    LockProtocol sigma = new SigmaProtocol(TIMING);
    LockProtocol backoff = new BackoffProtocol(TIMING);
    String grants = "'two-thirds' or a whole number from 1 to 64";
    assertRefused(sigma, "grants", "0", grants);
    assertRefused(sigma, "grants", "-3", grants);
    assertRefused(sigma, "grants", "many", grants);
    assertRefused(sigma, "servers", "65", "'all' or a whole number from 1 to 64");
    assertRefused(sigma, "quarantine", "maybe", "one of off, on");
    assertRefused(backoff, "law", "cubic", "one of exponential, linear, constant");
    assertRefused(backoff, "factor", "1.0", "a number from 1.1 to 16.0");
    assertRefused(backoff, "factor", "NaN", "a number from 1.1 to 16.0");
    String sleep = "a time such as 500ms or 10s, from 1 ms to 3600000 ms";
    assertRefused(backoff, "longest-sleep", "0ms", sleep);
    assertRefused(backoff, "longest-sleep", "2h", sleep);
    assertRefused(backoff, "longest-sleep", "ten", sleep);
    assertRefused(backoff, "unit", "metres", "one of observed, paper");
  }
}
