package io.testudo.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.testudo.mutex.Lease;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a lease is renewed and when it is given back, by a timer that the test runs. */
class LockTermTest {
  private final Lease lease = mock();
  private final ScheduledExecutorService timer = mock();
  private final Deque<Runnable> due = new ArrayDeque<>();
  private final Deque<Duration> delays = new ArrayDeque<>();
  private final LockTerm term = new LockTerm(lease, Duration.ofSeconds(9), timer);

  @BeforeEach
  void setUp() {
    when(lease.isHeld()).thenReturn(true);
    when(lease.renewAsync(any())).thenReturn(CompletableFuture.completedFuture(null));
    doAnswer(
            call -> {
              due.add(call.getArgument(0));
              delays.add(Duration.ofNanos(call.<Long>getArgument(1)));
              return mock(ScheduledFuture.class);
            })
        .when(timer)
        .schedule(any(Runnable.class), anyLong(), any(TimeUnit.class));
  }

  private void leaseHas(Duration left) {
    when(lease.remaining()).thenReturn(left);
  }

  private void wake() {
    delays.clear();
    due.remove().run();
  }

  @Test
  void renewsWhenAThirdOfTheHoldHasPassed() {
    leaseHas(Duration.ofSeconds(9));
    term.keepFor(Duration.ofMinutes(5));
    verify(lease, never()).renewAsync(any());
    assertThat(delays).containsExactly(Duration.ofSeconds(3));

    leaseHas(Duration.ofSeconds(6));
    wake();
    verify(lease).renewAsync(Duration.ofSeconds(9));
    assertThat(delays).containsExactly(Duration.ofSeconds(3));
    assertThat(term.isHeld()).isTrue();
  }

  @Test
  void givesBackWhatIsNotWantedForLonger() {
    leaseHas(Duration.ofSeconds(9));
    term.keepFor(Duration.ofMinutes(5));
    term.keepFor(Duration.ZERO);
    verify(lease).close();
    assertThat(term.isHeld()).isFalse();
    term.keepFor(Duration.ofMinutes(5));
    assertThat(term.isHeld()).isFalse();
  }

  @Test
  void waitsForTheEndOfATermThatTheLeaseCovers() {
    leaseHas(Duration.ofSeconds(9));
    term.keepFor(Duration.ofSeconds(5));
    assertThat(delays.getFirst()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(5));
    verify(lease, never()).close();
    verify(lease, never()).renewAsync(any());
  }

  @Test
  void endsWithALostLease() {
    leaseHas(Duration.ofSeconds(9));
    term.keepFor(Duration.ofMinutes(5));
    when(lease.isHeld()).thenReturn(false);
    assertThat(term.isHeld()).isFalse();
    wake();
    assertThat(delays).isEmpty();
  }

  @Test
  void givesBackAtOnceWhenNobodyWouldDoItLater() {
    leaseHas(Duration.ofSeconds(9));
    when(timer.schedule(any(Runnable.class), anyLong(), any(TimeUnit.class)))
        .thenThrow(RejectedExecutionException.class);
    term.keepFor(Duration.ofMinutes(5));
    verify(lease).close();
  }

  @Test
  void asksForNoLeaseLongerThanIsUsualOrShorterThanASecond() {
    Duration usual = Duration.ofSeconds(10);
    assertThat(LockTerm.hold(Duration.ofMinutes(5), usual)).isEqualTo(usual);
    assertThat(LockTerm.hold(Duration.ofSeconds(4), usual)).isEqualTo(Duration.ofSeconds(4));
    assertThat(LockTerm.hold(Duration.ofMillis(2), usual)).isEqualTo(Duration.ofSeconds(1));
  }
}
