package io.testudo.mutex.backoff;

import static io.testudo.mutex.backoff.ClientStage.HOLD;
import static io.testudo.mutex.backoff.ClientStage.LEASE;
import static io.testudo.mutex.backoff.ClientStage.LOCK;
import static io.testudo.mutex.backoff.ClientStage.MILLI;
import static io.testudo.mutex.backoff.ClientStage.TIMING;
import static io.testudo.mutex.backoff.ClientStage.WINDOW;
import static io.testudo.mutex.backoff.ClientStage.free;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.protocol.Moment;
import org.junit.jupiter.api.Test;

class LeaseHolderTest {
  private final ClientStage stage = ClientStage.allServers(BackoffTuning.standard());
  private final Moment began = stage.now();

  private long hold(long keepNanos) {
    stage.call(new Acquire(LOCK, HOLD, 0, keepNanos, false));
    Try request = stage.tried(0);
    for (int server = 0; server < 3; server++) {
      stage.hear(server, free(request));
    }
    return request.time();
  }

  private Free renewed(long token, long number) {
    return new Free(LOCK, 0, token, number);
  }

  @Test
  void tellsTheLossOfALeaseAtItsEnd() {
    long token = hold(0);
    // The wall clock is read in milliseconds, so up to one of them is given away.
    stage.pass(LEASE - 2 * MILLI);
    assertThat(stage.told).isEmpty();
    stage.pass(2 * MILLI);
    assertThat(stage.told).containsExactly(new LeaseLost(LOCK, token));
    assertThat(stage.timers()).isZero();
    assertThat(stage.result(stage.call(new ReleaseCall(LOCK, token)))).isEqualTo(false);
  }

  @Test
  void noticesThatTheMachineWasSuspended() {
    long token = hold(0);
    stage.suspend(LEASE);
    assertThat(stage.result(stage.call(new ReleaseCall(LOCK, token)))).isEqualTo(false);
    assertThat(stage.told).containsExactly(new LeaseLost(LOCK, token));
  }

  @Test
  void releasesEverywhereAtOnce() {
    long token = hold(0);
    long call = stage.call(new ReleaseCall(LOCK, token));
    assertThat(stage.result(call)).isEqualTo(true);
    for (int server = 0; server < 4; server++) {
      assertThat(stage.sentTo(server)).containsExactly(new Release(LOCK, 0, token));
    }
    assertThat(stage.timers()).isZero();
    assertThat(stage.result(stage.call(new ReleaseCall(LOCK, token)))).isEqualTo(false);
  }

  @Test
  void doesNotTellServersOfALoss() {
    hold(0);
    stage.forgetEffects();
    stage.pass(LEASE);
    assertThat(stage.sentTo(0)).isEmpty();
  }

  @Test
  void renewsFromTheSendOfTheRenewal() {
    long token = hold(0);
    stage.pass(50 * MILLI);
    final Moment asked = stage.now();
    long call = stage.call(new RenewCall(LOCK, token, HOLD));
    assertThat(stage.sentTo(3)).containsExactly(new Renew(LOCK, 0, token, LEASE, 2));
    stage.pass(MILLI);
    stage.hear(0, renewed(token, 2));
    stage.hear(1, renewed(token, 2));
    stage.hear(2, renewed(token, 1));
    assertThat(stage.result(call)).isEqualTo("none yet");
    stage.hear(3, renewed(token, 2));
    assertThat(stage.result(call)).isEqualTo(new Term(asked, LEASE));
    assertThat(stage.told).containsExactly(new LeaseRenewed(LOCK, token, new Term(asked, LEASE)));
  }

  @Test
  void neverMovesTheEndBack() {
    long token = hold(0);
    long call = stage.call(new RenewCall(LOCK, token, MILLI));
    for (int server = 0; server < 3; server++) {
      stage.hear(server, renewed(token, 2));
    }
    assertThat(stage.result(call)).isEqualTo(new Term(began, LEASE));
    assertThat(stage.told).isEmpty();
  }

  @Test
  void takesNoMoreFromAServerThanTheRequestThatItNames() {
    long token = hold(0);
    long longer = stage.call(new RenewCall(LOCK, token, 2 * HOLD));
    Moment askedShorter = stage.now();
    long shorter = stage.call(new RenewCall(LOCK, token, HOLD));
    stage.hear(0, renewed(token, 2));
    stage.hear(1, renewed(token, 3));
    stage.hear(2, renewed(token, 3));
    assertThat(stage.result(longer)).isEqualTo("none yet");
    assertThat(stage.result(shorter)).isEqualTo(new Term(askedShorter, LEASE));
    stage.hear(1, renewed(token, 2));
    stage.hear(3, renewed(token, 2));
    assertThat(stage.result(longer)).isEqualTo(new Term(askedShorter, LEASE + HOLD));
  }

  @Test
  void saysWhenARenewalFindsTooFewServersAndKeepsTheRest() {
    long token = hold(0);
    stage.pass(MILLI);
    long call = stage.call(new RenewCall(LOCK, token, HOLD));
    stage.hear(0, renewed(token, 2));
    stage.pass(WINDOW);
    assertThat(stage.failure(call)).isInstanceOf(NoQuorumException.class);
    assertThat(stage.told).isEmpty();
    assertThat(stage.result(stage.call(new ReleaseCall(LOCK, token)))).isEqualTo(true);
  }

  @Test
  void takesNoRenewalThatComesAfterTheEnd() {
    long token = hold(0);
    stage.pass(LEASE - 5 * MILLI);
    long call = stage.call(new RenewCall(LOCK, token, HOLD));
    stage.suspend(10 * MILLI);
    for (int server = 0; server < 3; server++) {
      stage.hear(server, renewed(token, 2));
    }
    assertThat(stage.told).containsExactly(new LeaseLost(LOCK, token));
    assertThat(stage.failure(call)).isInstanceOf(LeaseLostException.class);
    assertThat(stage.sentTo(2)).containsExactly(new Release(LOCK, 0, token));
  }

  @Test
  void renewsByItselfUntilTheBound() {
    long token = hold(HOLD / 2);
    stage.pass(HOLD / 3);
    assertThat(stage.sentTo(0, Renew.class)).hasSize(1);
    for (int server = 0; server < 3; server++) {
      stage.hear(server, renewed(token, 2));
    }
    stage.forgetEffects();
    stage.pass(10 * HOLD);
    assertThat(stage.sentTo(0, Renew.class)).isEmpty();
    assertThat(stage.told).contains(new LeaseLost(LOCK, token));
  }

  @Test
  void stopsRenewingWhenTheLockIsReleased() {
    long token = hold(Acquire.FOREVER);
    stage.call(new ReleaseCall(LOCK, token));
    stage.forgetEffects();
    stage.pass(10 * HOLD);
    assertThat(stage.sentTo(0)).isEmpty();
    assertThat(stage.told).isEmpty();
  }

  @Test
  void refusesToRenewWhatIsNotHeldOrForTooLong() {
    assertThat(stage.failure(stage.call(new RenewCall(LOCK, 5, HOLD))))
        .isInstanceOf(LeaseLostException.class);
    long token = hold(0);
    assertThat(stage.failure(stage.call(new RenewCall("other", token, HOLD))))
        .isInstanceOf(LeaseLostException.class);
    assertThat(stage.failure(stage.call(new RenewCall(LOCK, token, TIMING.maxHoldNanos() + 1))))
        .isInstanceOf(LockRefusedException.class);
  }
}
