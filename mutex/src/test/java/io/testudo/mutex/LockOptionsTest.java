package io.testudo.mutex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a lock is asked for. */
class LockOptionsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void eachSettingChangesItselfOnly() {
    LockOptions standard = LockOptions.standard();
    LockOptions changed =
        standard
            .withHold(SECOND)
            .withMaxWait(SECOND.multipliedBy(2))
            .withAutoRenewal(SECOND.multipliedBy(3))
            .withServers(LockOptions.Servers.QUORUM)
            .withBackend("sigma")
            .withPersistence(true)
            .withReentrance(true);
    assertThat(changed.hold()).isEqualTo(SECOND);
    assertThat(changed.maxWait()).contains(SECOND.multipliedBy(2));
    assertThat(changed.autoRenewal()).isEqualTo(SECOND.multipliedBy(3));
    assertThat(changed.servers()).isEqualTo(LockOptions.Servers.QUORUM);
    assertThat(changed.backend()).contains("sigma");
    assertThat(changed.persistent()).isTrue();
    assertThat(changed.reentrant()).isTrue();
    assertThat(changed.withoutMaxWait().maxWait()).isEmpty();
    assertThat(changed.withoutAutoRenewal().autoRenewal()).isZero();
    assertThat(changed.withEndlessRenewal().autoRenewal()).isEqualTo(LockOptions.WITHOUT_END);
    assertThat(standard).isEqualTo(LockOptions.standard()).isNotEqualTo(changed);
  }

  @Test
  void refusesTimesThatMakeNoSense() {
    LockOptions standard = LockOptions.standard();
    assertThatIllegalArgumentException().isThrownBy(() -> standard.withHold(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> standard.withHold(SECOND.negated()));
    assertThatIllegalArgumentException().isThrownBy(() -> standard.withMaxWait(SECOND.negated()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> standard.withAutoRenewal(Duration.ofDays(366)));
  }
}
