package io.testudo.mutex.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.testudo.mutex.protocol.BackendTable.Binding;
import org.junit.jupiter.api.Test;

class BackendTableTest {
  private static final BackendTable TABLE =
      BackendTable.all("backoff")
          .with("q/", new Binding("sigma", 500))
          .with("q/slow/", "backoff")
          .with("old/", BackendTable.CLOSED);

  private static String backendOf(String lock) {
    return TABLE.bindingOf(lock).backend();
  }

  @Test
  void theLongestPrefixCounts() {
    assertThat(backendOf("orders")).isEqualTo("backoff");
    assertThat(backendOf("q")).isEqualTo("backoff");
    assertThat(backendOf("q/")).isEqualTo("sigma");
    assertThat(backendOf("q/1")).isEqualTo("sigma");
    assertThat(backendOf("q/slow/1")).isEqualTo("backoff");
    assertThat(backendOf("old/1")).isEqualTo(BackendTable.CLOSED);
    assertThat(TABLE.backends()).containsExactlyInAnyOrder("backoff", "sigma");
  }

  @Test
  void aNameIsServedByOneProtocol() {
    LockScope sigma = TABLE.scopeOf("sigma");
    LockScope backoff = TABLE.scopeOf("backoff");
    for (String lock : new String[] {"orders", "q", "q/1", "q/slow/1"}) {
      assertThat(sigma.serves(lock)).isNotEqualTo(backoff.serves(lock));
    }
    assertThat(sigma.serves("old/1") || backoff.serves("old/1")).isFalse();
    assertThat(TABLE.scopeOf(BackendTable.CLOSED).fenceFloor("q/1")).isEqualTo(500);
    assertThat(sigma.fenceFloor("q/1")).isEqualTo(500);
    assertThat(backoff.fenceFloor("q/slow/1")).isZero();
  }

  @Test
  void aBindingTakesThePlaceOfTheOneBefore() {
    BackendTable changed = TABLE.with("q/", "backoff").with("", "sigma");

    assertThat(changed.bindingOf("q/1")).isEqualTo(new Binding("backoff", 0));
    assertThat(changed.bindingOf("orders").backend()).isEqualTo("sigma");
    assertThat(backendOf("orders")).isEqualTo("backoff");
  }

  @Test
  void hasAMaximumOfPrefixes() {
    BackendTable table = BackendTable.all("sigma");
    for (int i = 1; i < BackendTable.MAX_PREFIXES; i++) {
      table = table.with("p" + i, "backoff");
    }
    BackendTable full = table;
    assertThatIllegalArgumentException().isThrownBy(() -> full.with("one more", "backoff"));
  }

  @Test
  void aFloorIsAboveTheTimesOfAllClocksThatAreNotTooFarAhead() {
    LockTiming timing = LockTiming.standard();
    long now = 1_700_000_000_000L;

    assertThat(BackendTable.fenceFloorAt(now, timing))
        .isGreaterThanOrEqualTo(RankClock.atWall(now + timing.maxSkewMillis()));
  }
}
