package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.MultiLock;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockRights;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.Need;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever lacks the right to a lock hears so at once, whatever the protocol. */
@Timeout(120)
class LockRightsTest {
  private static final Rights RIGHTS =
      Rights.of(List.of(Grant.of("alice", Set.of(Right.LOCK), "shop/")), List.of("mallory"));
  private static final LockTiming TIMING = LockTiming.standard();

  /** Far beyond the tests' own limits: a refusal must come without waiting for it. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private volatile Rights rights = RIGHTS;

  private LockCluster start(LockProtocol backend, int byzantine) {
    return LockCluster.start(4, byzantine, backend, () -> rights);
  }

  private static void assertRefused(LockClient client, String name) {
    DistributedLock lock = client.lock(name);
    MultiLock both = client.multiLock(List.of(name, "shop/till"));
    ThrowingCallable[] forms = {
      lock::acquire,
      lock::tryAcquire,
      () -> lock.tryAcquire(LONG),
      lock::lock,
      lock::lockInterruptibly,
      lock::tryLock,
      () -> lock.tryLock(LONG.toSeconds(), TimeUnit.SECONDS),
      both::acquire,
      () -> both.tryAcquire(LONG)
    };
    for (ThrowingCallable form : forms) {
      assertThatExceptionOfType(NotAllowedException.class)
          .isThrownBy(form)
          .withMessageContaining("lacks the right to lock '" + name + "'")
          .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN))
          .satisfies(e -> assertThat(e.isWorthRetrying()).isFalse());
    }
    for (CompletableFuture<?> future : List.of(lock.acquireAsync(), both.acquireAsync())) {
      assertThat(future)
          .failsWithin(Duration.ofMinutes(1))
          .withThrowableThat()
          .withCauseInstanceOf(NotAllowedException.class);
    }
  }

  @Test
  void hearsItAtOnceInEveryFormAndWithEveryProtocol() throws InterruptedException {
    for (LockProtocol backend : List.of(new BackoffProtocol(TIMING), new SigmaProtocol(TIMING))) {
      int byzantine = backend instanceof BackoffProtocol ? 1 : 0;
      try (LockCluster cluster = start(backend, byzantine);
          LockClient alice = cluster.client("alice")) {
        assertRefused(alice, "bank/vault");
        try (Lease lease = alice.lock("shop/till").acquire()) {
          assertThat(lease.isHeld()).isTrue();
        }
      }
    }
  }

  private static List<Effect<ServerId>> hear(LockRights machine, int from, NoRight refusal) {
    return machine.step(new Input.Received<>(new ServerId(from), refusal), new Moment(0, 0));
  }

  @Test
  void theWordOfOneServerEndsNothing() {
    FakeMachine protocol = new FakeMachine();
    protocol.silent = true;
    LockRights machine = new LockRights(protocol, Need.PING.thresholds(4, 1));
    List<Effect<ServerId>> none = machine.step(new Input.Started<>(List.of()), new Moment(0, 0));
    CallId<Held> call = new CallId<>(1);
    machine.step(new Input.Called<>(call, Acquire.of("x", 1, Acquire.FOREVER)), new Moment(0, 0));
    for (int again = 0; again < 3; again++) {
      assertThat(hear(machine, 0, new NoRight(Right.LOCK, "x"))).isEqualTo(none);
    }
    assertThat(hear(machine, 1, new NoRight(Right.READ, "x"))).isEmpty();
    assertThat(hear(machine, 2, new NoRight(Right.LOCK, "y"))).isEmpty();
    assertThat(hear(machine, 3, new NoRight(Right.LOCK, "x")))
        .singleElement()
        .isInstanceOf(Effect.Fail.class);
    assertThat(protocol.withdrawn.get()).isEqualTo(1);
    assertThat(hear(machine, 1, new NoRight(Right.LOCK, "x"))).isEmpty();
  }

  @Test
  void rightsThatAreGrantedLaterCount() throws InterruptedException {
    try (LockCluster cluster = start(new BackoffProtocol(TIMING), 1);
        LockClient mallory = cluster.client("mallory")) {
      DistributedLock lock = mallory.lock("shop/till");
      assertThatExceptionOfType(NotAllowedException.class).isThrownBy(lock::acquire);
      rights = Rights.of(List.of(Grant.of("mallory", Set.of(Right.LOCK), "shop/")), List.of());
      // Refusals of before may be under way.
      while (true) {
        try (Lease lease = lock.acquire()) {
          assertThat(lease.isHeld()).isTrue();
          return;
        } catch (NotAllowedException e) {
          assertThat(e.right()).isEqualTo(Right.LOCK);
        }
      }
    }
  }

  @Test
  void renewalsOfARevokedHolderSayWhyTheyFail() throws InterruptedException {
    try (LockCluster cluster = start(new BackoffProtocol(TIMING), 1);
        LockClient alice = cluster.client("alice")) {
      Lease lease = alice.lock("shop/till", LockOptions.standard().withoutAutoRenewal()).acquire();
      rights = Rights.of(List.of(), List.of("alice"));
      assertThatExceptionOfType(NotAllowedException.class).isThrownBy(lease::renew);
      assertThat(lease.isHeld()).isTrue();
    }
  }
}
