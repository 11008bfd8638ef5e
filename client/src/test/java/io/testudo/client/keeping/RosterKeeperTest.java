package io.testudo.client.keeping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.roster.Member;
import io.testudo.client.roster.Roster;
import io.testudo.client.roster.RosterType;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.quorum.OverloadedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Single schedules, in virtual time. */
class RosterKeeperTest {
  private static final long MILLI = VirtualWorld.MILLI;
  private static final double DRIFT = 0.01;

  /** Long: nothing is evicted before a test has seen what it wants to see. */
  private static final LockOptions PATIENT =
      LockOptions.standard().withHold(Duration.ofMinutes(10)).withEndlessRenewal();

  private static final LockOptions BRIEF =
      LockOptions.standard().withHold(Duration.ofSeconds(1)).withEndlessRenewal();

  private final VirtualWorld world = new VirtualWorld(7);
  private VirtualObject<Roster> object =
      new VirtualObject<>(world, RosterType.SEMAPHORE.type(), 10 * MILLI);

  private final class One {
    private final VirtualWorld.VirtualNode node = world.new VirtualNode("one", 1);
    private final VirtualObject<Roster>.Handle handle = object.handle(node);
    private final RosterKeeper keeper;

    One(int size) {
      keeper = new RosterKeeper(handle, RosterType.SEMAPHORE, size, node.around(DRIFT));
    }

    CompletableFuture<Lease> enter(int weight, LockOptions options) {
      return keeper.enter(weight, options);
    }
  }

  /** In virtual time nobody else would complete it. */
  private static Lease now(CompletableFuture<Lease> future) {
    assertThat(future).isDone();
    return future.join();
  }

  private List<Long> members() {
    return object.state().members().map(Member::id).toList();
  }

  @Test
  void leavesNothingBehindWheneverItIsCancelled() {
    for (int millis = 0; millis < 60; millis++) {
      object = new VirtualObject<>(world, RosterType.SEMAPHORE.type(), 10 * MILLI);
      One holder = new One(1);
      One waiter = new One(1);
      CompletableFuture<Lease> held = holder.enter(1, PATIENT);
      CompletableFuture<Lease> asked = waiter.enter(1, PATIENT);
      world.at(
          30 * MILLI,
          () -> {
            var unused = held.thenAccept(Lease::close);
          });
      world.at(millis * MILLI, () -> asked.cancel(false));
      world.run(1_000 * MILLI);
      if (!asked.isCancelled()) {
        now(asked).close();
        world.run(1_000 * MILLI);
      }
      assertThat(members()).as("cancelled after %d ms", millis).isEmpty();
      assertThat(waiter.handle.listeners()).as("who watches on").isZero();
    }
  }

  @Test
  void doesNotGetLaterWhatItNoLongerWaitsFor() {
    One holder = new One(1);
    One waiter = new One(1);
    CompletableFuture<Lease> held = holder.enter(1, PATIENT);
    world.run(100 * MILLI);
    CompletableFuture<Lease> asked = waiter.enter(1, PATIENT.withMaxWait(Duration.ofMillis(200)));
    world.run(150 * MILLI);
    assertThat(object.state().waiters()).hasSize(1);
    world.run(150 * MILLI);
    assertThat(asked).isDone();
    assertThatThrownBy(asked::join).hasCauseInstanceOf(NotAcquiredException.class);
    assertThat(object.state().waiters()).isEmpty();
    now(held).close();
    world.run(100 * MILLI);
    assertThat(members()).isEmpty();
  }

  /** If everybody only tries, nobody waits, and still a dead holder does not keep it for ever. */
  @Test
  void evictsTheDeadForThoseWhoOnlyTry() {
    One dead = new One(1);
    CompletableFuture<Lease> held = dead.enter(1, BRIEF);
    world.run(100 * MILLI);
    dead.node.die();
    assertThat(held).isCompleted();
    One other = new One(1);
    CompletableFuture<Lease> tried = other.enter(1, BRIEF.withMaxWait(Duration.ZERO));
    world.run(100 * MILLI);
    assertThat(tried).isDone();
    assertThatThrownBy(tried::join).hasCauseInstanceOf(NotAcquiredException.class);
    world.run(2_000 * MILLI);
    assertThat(members()).isEmpty();
    world.run(5_000 * MILLI);
    assertThat(other.handle.listeners()).as("who watches on").isZero();
  }

  /** Whoever tries has a shorter hold than the one who died. */
  @Test
  void looksOnForAsLongAsTheDeadOneMayHold() {
    One dead = new One(1);
    CompletableFuture<Lease> held = dead.enter(1, BRIEF.withHold(Duration.ofMinutes(2)));
    world.run(100 * MILLI);
    dead.node.die();
    assertThat(held).isCompleted();
    One other = new One(1);
    CompletableFuture<Lease> tried = other.enter(1, BRIEF.withMaxWait(Duration.ZERO));
    world.run(120_000 * MILLI);
    assertThat(tried).isCompletedExceptionally();
    assertThat(members()).as("whose lease may run").hasSize(1);
    world.run(10_000 * MILLI);
    assertThat(members()).isEmpty();
    world.run(300_000 * MILLI);
    assertThat(other.handle.listeners()).as("who watches on").isZero();
  }

  /** It has waited for one with a long lease when one with a short lease comes, and dies. */
  @Test
  void looksInTimeForWhoeverHasComeSince() {
    One patient = new One(1);
    One other = new One(1);
    One dead = new One(1);
    CompletableFuture<Lease> held = patient.enter(1, PATIENT);
    world.run(100 * MILLI);
    CompletableFuture<Lease> tried = other.enter(1, PATIENT.withMaxWait(Duration.ZERO));
    world.run(100 * MILLI);
    assertThat(tried).isCompletedExceptionally();
    now(held).close();
    CompletableFuture<Lease> brief = dead.enter(1, BRIEF);
    world.run(100 * MILLI);
    assertThat(now(brief).isHeld()).isTrue();
    dead.node.die();
    world.run(2_000 * MILLI);
    assertThat(members()).isEmpty();
  }

  @Test
  void tellsOfALossAtOnceWhenItCannotRenew() {
    One one = new One(1);
    CompletableFuture<Lease> asked = one.enter(1, BRIEF.withoutAutoRenewal());
    world.run(100 * MILLI);
    Lease lease = now(asked);
    List<Long> told = new ArrayList<>();
    lease.onLost(() -> told.add(world.trueNanos()));
    Duration left = lease.remaining();
    long end = world.trueNanos() + left.toNanos();
    world.run(left.toNanos() - MILLI);
    assertThat(lease.isHeld()).isTrue();
    world.run(2 * MILLI);
    assertThat(lease.isHeld()).isFalse();
    assertThat(told).hasSize(1);
    assertThat(told.get(0) - end).isBetween(-MILLI, MILLI);
    world.run(100 * MILLI);
    assertThat(members()).isEmpty();
  }

  @Test
  void renewsUntilItsRenewalEnds() {
    One one = new One(1);
    CompletableFuture<Lease> asked = one.enter(1, BRIEF.withAutoRenewal(Duration.ofSeconds(5)));
    world.run(5_000 * MILLI);
    assertThat(now(asked).isHeld()).isTrue();
    world.run(2_000 * MILLI);
    assertThat(now(asked).isHeld()).isFalse();
    CompletableFuture<Lease> endless = one.enter(1, BRIEF);
    world.run(3_600_000 * MILLI);
    assertThat(now(endless).isHeld()).isTrue();
    assertThat(now(endless).fencingToken()).isEqualTo(2);
  }

  /** Readers come all the time, and overlap. */
  @Test
  void doesNotStarveAWriter() {
    One readers = new One(100);
    int[] reads = new int[1];
    for (int i = 0; i < 1_000; i++) {
      world.at(
          10L * i * MILLI,
          () -> {
            var unused =
                readers
                    .enter(1, PATIENT)
                    .thenAccept(
                        lease -> {
                          reads[0]++;
                          world.at(100 * MILLI, lease::close);
                        });
          });
    }
    world.run(1_000 * MILLI);
    int before = reads[0];
    One writer = new One(100);
    CompletableFuture<Lease> asked = writer.enter(100, PATIENT);
    world.run(500 * MILLI);
    assertThat(asked).isCompleted();
    assertThat(before).isPositive();
    now(asked).close();
    int during = reads[0];
    world.run(1_000 * MILLI);
    assertThat(reads[0]).isGreaterThan(during);
  }

  @Test
  void saysClearlyThatTooManyWait() {
    One one = new One(1);
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    for (int i = 0; i < Roster.MAX_WAITERS + 2; i++) {
      asked.add(one.enter(1, PATIENT));
    }
    world.run(1_000 * MILLI);
    assertThatThrownBy(asked.get(Roster.MAX_WAITERS + 1)::join)
        .hasCauseInstanceOf(OverloadedException.class)
        .hasMessageContaining("256 waiting for 'virtual'");
    assertThat(object.state().waiters()).hasSize(Roster.MAX_WAITERS);
  }

  /** It is late to hear that it was granted, and would have next to nothing of it. */
  @Test
  void givesOutOnlyWhatLastsForAWhile() {
    One holder = new One(1);
    One sleeper = new One(1);
    CompletableFuture<Lease> held = holder.enter(1, BRIEF);
    world.run(100 * MILLI);
    CompletableFuture<Lease> asked = sleeper.enter(1, BRIEF);
    world.run(100 * MILLI);
    now(held).close();
    sleeper.node.pause(970 * MILLI);
    world.run(969 * MILLI);
    assertThat(asked).isNotCompleted();
    world.run(200 * MILLI);
    assertThat(now(asked).remaining()).isGreaterThan(Duration.ofMillis(500));
  }

  @Test
  void givesAllBackWhenItIsClosed() {
    One one = new One(1);
    CompletableFuture<Lease> held = one.enter(1, PATIENT);
    CompletableFuture<Lease> waits = one.enter(1, PATIENT);
    world.run(100 * MILLI);
    boolean[] lost = new boolean[1];
    now(held).onLost(() -> lost[0] = true);
    CompletableFuture<Void> closed = one.keeper.close();
    world.run(100 * MILLI);
    assertThat(closed).isCompleted();
    assertThat(lost[0]).isTrue();
    assertThat(waits).isCompletedExceptionally();
    assertThat(members()).isEmpty();
    assertThat(one.enter(1, PATIENT)).isNotCompleted();
    world.run(1 * MILLI);
  }

  /** Whoever gives back and closes its client at once has given back. */
  @Test
  void isNotClosedBeforeWhatWasGivenBackIsKnown() {
    One one = new One(1);
    CompletableFuture<Lease> held = one.enter(1, PATIENT);
    CompletableFuture<Lease> waits = one.enter(1, PATIENT);
    world.run(100 * MILLI);
    waits.cancel(false);
    now(held).close();
    CompletableFuture<Void> closed = one.keeper.close();
    while (!closed.isDone()) {
      world.run(MILLI);
    }
    assertThat(members()).isEmpty();
  }
}
