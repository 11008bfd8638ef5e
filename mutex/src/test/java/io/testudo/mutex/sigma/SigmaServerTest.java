package io.testudo.mutex.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.lease.LockTable;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.BackendTable;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaLockView.Entry;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server machine on its own: the test plays the clients and the clock. */
class SigmaServerTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final SigmaTuning TUNING = SigmaTuning.standard();
  private static final long LEASE = TIMING.leaseNanos(100 * MILLI);
  private static final long SERVER_LEASE = TIMING.serverLeaseNanos(LEASE);
  private static final String LOCK = "printer";
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);
  private static final ClientId CAROL = new ClientId("carol", 9, 1);

  private SigmaServer server = server(TUNING, LockScope.everything(), LockTable.MAX_LOCKS);
  private long nanos;
  private final List<Effect<ClientId>> effects = new ArrayList<>();
  private final Map<TimerKey, Long> timers = new HashMap<>();

  private static SigmaServer server(SigmaTuning tuning, LockScope scope, int maxLocks) {
    SigmaServer made = new SigmaServer(TIMING, tuning, scope, Entropy.seeded(5), maxLocks);
    made.step(new Input.Started<>(List.of()), new Moment(0, 1_000_000));
    return made;
  }

  private void hears(ClientId from, Message message) {
    step(new Input.Received<>(from, message));
  }

  private void step(Input<ClientId> input) {
    effects.clear();
    effects.addAll(server.step(input, new Moment(nanos, 1_000_000 + nanos / MILLI)));
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.SetTimer<ClientId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      }
    }
  }

  private void ring() {
    for (TimerKey key : List.copyOf(timers.keySet())) {
      timers.remove(key);
      step(new Input.TimerFired<>(key));
    }
  }

  private List<Message> sentTo(ClientId client) {
    List<Message> sent = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Send<ClientId> send && send.to().equals(client)) {
        sent.add(send.message());
      }
    }
    return sent;
  }

  private Response answer(ClientId client) {
    List<Message> sent = sentTo(client);
    assertThat(sent).hasSize(1);
    return (Response) sent.get(0);
  }

  private static Request request(long time, long number) {
    return new Request(LOCK, 0, time, LEASE, number);
  }

  private SigmaLockView view() {
    return server.view(LOCK).orElseThrow();
  }

  private GrantId grantTo(ClientId client, long time) {
    hears(client, request(time, 1));
    Response answer = answer(client);
    assertThat(answer.yours()).isTrue();
    return answer.grant();
  }

  @Test
  void grantsAFreeLockAndQueuesTheOthersByTheirTimes() {
    GrantId grant = grantTo(ALICE, 30);
    hears(BOB, request(20, 1));
    hears(CAROL, request(10, 1));

    Response toCarol = answer(CAROL);
    assertThat(toCarol.yours()).isFalse();
    assertThat(toCarol.owner()).isEqualTo(new Owner(30, 7, 0));
    assertThat(toCarol.grant()).isEqualTo(grant);
    assertThat(toCarol.position()).isEqualTo(1);
    assertThat(view().queue()).extracting(Entry::time).containsExactly(10L, 20L);
  }

  @Test
  void aYieldOfThePresentGrantReordersTheQueue() {
    GrantId grant = grantTo(ALICE, 30);
    hears(BOB, request(20, 1));
    hears(ALICE, new Yield(LOCK, 0, 30, grant, LEASE, 2));

    assertThat(answer(BOB).yours()).isTrue();
    assertThat(answer(ALICE).yours()).isFalse();
    assertThat(answer(BOB).grant().number()).isGreaterThan(grant.number());
  }

  @Test
  void aYieldOfAnotherGrantChangesNothingAndIsAnswered() {
    GrantId grant = grantTo(ALICE, 10);
    hears(BOB, request(20, 1));
    hears(ALICE, new Yield(LOCK, 0, 10, grant, LEASE, 2));
    GrantId next = answer(ALICE).grant();
    assertThat(next).isNotEqualTo(grant); // It is the earliest, so it has it again.
    SigmaLockView before = view();
    hears(ALICE, new Yield(LOCK, 0, 10, grant, LEASE, 2));
    assertThat(view()).isEqualTo(before);
    assertThat(answer(ALICE).grant()).isEqualTo(next);
    GrantId foreign = new GrantId(grant.incarnation() + 1, next.number());
    hears(ALICE, new Yield(LOCK, 0, 10, foreign, LEASE, 3));

    assertThat(view()).isEqualTo(before);
  }

  @Test
  void anOldEpochIsIgnoredAndANewOneReplacesIt() {
    GrantId grant = grantTo(ALICE, 30);
    hears(ALICE, request(20, 1));
    assertThat(effects).isEmpty();
    hears(BOB, request(40, 1));
    hears(ALICE, request(50, 1));

    assertThat(answer(BOB).yours()).isTrue();
    assertThat(answer(ALICE).owner().time()).isEqualTo(40);
    assertThat(answer(BOB).fence()).as("alice may have entered").isGreaterThan(30);
    assertThat(answer(BOB).grant()).isNotEqualTo(grant);
  }

  @Test
  void aReleasedEpochDoesNotComeBack() {
    grantTo(ALICE, 30);
    hears(ALICE, new SigmaRelease(LOCK, 0, 30, SigmaRelease.UNUSED));
    hears(ALICE, request(30, 1));

    assertThat(effects).isEmpty();
    assertThat(view().owner()).isEmpty();
  }

  @Test
  void aReleaseThatOvertookItsRequestPrevailsOverIt() {
    hears(ALICE, new SigmaRelease(LOCK, 0, 30, SigmaRelease.UNUSED));
    hears(ALICE, request(30, 1));

    assertThat(effects).isEmpty();
    hears(ALICE, request(31, 1));
    assertThat(answer(ALICE).yours()).isTrue();
  }

  @Test
  void contendersOfOneProcessDoNotDeleteEachOther() {
    hears(ALICE, new Request(LOCK, 0, 10, LEASE, 1));
    hears(ALICE, new Request(LOCK, 1, 20, LEASE, 1));
    hears(ALICE, new SigmaRelease(LOCK, 1, 20, SigmaRelease.UNUSED));

    assertThat(view().owner()).map(Entry::time).contains(10L);
    assertThat(view().queue()).isEmpty();
  }

  @Test
  void aGrantEndsAfterItsLeaseAndIsGoodInItsLastInstant() {
    grantTo(ALICE, 30);
    hears(BOB, request(40, 1));
    nanos = SERVER_LEASE;
    hears(BOB, request(40, 2));
    assertThat(answer(BOB).yours()).isFalse();
    nanos++;
    ring();

    assertThat(answer(BOB).yours()).isTrue();
    assertThat(answer(BOB).leased()).isEqualTo(2);
  }

  @Test
  void aRepeatedRequestDoesNotProlongAGrantAndANewOneDoes() {
    grantTo(ALICE, 30);
    hears(BOB, request(40, 1));
    nanos = SERVER_LEASE - MILLI;
    hears(ALICE, request(30, 1));
    assertThat(answer(ALICE).leased()).isEqualTo(1);
    hears(BOB, request(40, 2));
    nanos = SERVER_LEASE + 1;
    hears(ALICE, request(30, 2));

    assertThat(answer(BOB).yours()).isTrue();
    assertThat(answer(ALICE).yours()).isFalse();
    nanos += MILLI;
    hears(BOB, request(40, 3));
    assertThat(answer(BOB).leased()).isEqualTo(3);
  }

  @Test
  void aConfirmationOfThePresentGrantRaisesItsFenceAndItsEnd() {
    GrantId grant = grantTo(ALICE, 30);
    nanos = SERVER_LEASE - MILLI;
    hears(ALICE, new Confirm(LOCK, 0, 30, grant, 77, LEASE, 2));

    assertThat(answer(ALICE).fence()).isEqualTo(77);
    assertThat(answer(ALICE).leased()).isEqualTo(2);
    nanos = SERVER_LEASE + MILLI;
    hears(BOB, request(40, 1));
    assertThat(answer(BOB).yours()).isFalse();
    hears(ALICE, new SigmaRelease(LOCK, 0, 30, 77));
    assertThat(answer(BOB).fence()).isEqualTo(78);
  }

  @Test
  void aConfirmationOfAnotherGrantChangesNothing() {
    GrantId grant = grantTo(ALICE, 30);
    GrantId old = new GrantId(grant.incarnation(), grant.number() - 1);
    hears(ALICE, new Confirm(LOCK, 0, 30, old, 77, LEASE, 2));

    assertThat(answer(ALICE).fence()).isEqualTo(30);
    assertThat(answer(ALICE).leased()).isEqualTo(1);
  }

  @Test
  void fencesOfThoseWhoMayHaveEnteredAreUsedUpAndOthersAreNot() {
    grantTo(ALICE, 30);
    hears(ALICE, new SigmaRelease(LOCK, 0, 30, SigmaRelease.UNUSED));
    hears(BOB, request(20, 1));
    assertThat(answer(BOB).fence()).as("30 was not used").isEqualTo(20);
    hears(BOB, new SigmaRelease(LOCK, 0, 20, SigmaRelease.UNKNOWN));
    hears(CAROL, request(10, 1));
    assertThat(answer(CAROL).fence()).as("20 may have been used").isEqualTo(21);
    nanos = SERVER_LEASE + 1;
    hears(BOB, request(21, 1));
    assertThat(answer(BOB).fence()).as("21 may have been used").isEqualTo(22);
    hears(BOB, new SigmaRelease(LOCK, 0, 21, SigmaRelease.UNUSED));
    hears(ALICE, request(31, 1));
    hears(ALICE, new SigmaRelease(LOCK, 0, 31, 500));
    hears(BOB, request(40, 1));
    assertThat(answer(BOB).fence()).as("500 was used").isEqualTo(501);
  }

  @Test
  void asksTheOwnerNowAndThenWhetherItKnows() {
    GrantId grant = grantTo(ALICE, 30);
    hears(ALICE, new Confirm(LOCK, 0, 30, grant, 30, TIMING.maxLeaseNanos(), 2));
    SigmaTuning often = new SigmaTuning(false, 5 * MILLI, MILLI, MILLI);
    server = server(often, LockScope.everything(), 10);
    timers.clear();
    grant = grantTo(ALICE, 30);
    nanos += 5 * MILLI;
    ring();

    assertThat(sentTo(ALICE)).containsExactly(new Check(LOCK, 0, 30, grant, 1, 1, 30));
    nanos += 5 * MILLI;
    ring();
    assertThat(sentTo(ALICE)).hasSize(1);
  }

  @Test
  void tellsHowLongToWaitFromTheTurnsItSaw() {
    grantTo(ALICE, 10);
    hears(BOB, request(20, 1));
    assertThat(answer(BOB).waitNanos()).as("a guess").isEqualTo(TIMING.refreshNanos());
    nanos += 8 * MILLI;
    hears(ALICE, new SigmaRelease(LOCK, 0, 10, 10));
    hears(CAROL, request(30, 1));
    assertThat(answer(CAROL).waitNanos()).isEqualTo(13 * MILLI);
    hears(ALICE, request(40, 1));
    assertThat(answer(ALICE).position()).isEqualTo(2);
    assertThat(answer(ALICE).waitNanos()).isEqualTo(22 * MILLI);
    nanos += 5 * MILLI;
    hears(ALICE, new Inquiry(LOCK, 0, 40, 2));
    assertThat(answer(ALICE).waitNanos()).as("what is left of it").isEqualTo(17 * MILLI);
  }

  @Test
  void theFurtherBehindTheMoreSeldomTheyAreToAskWhileATurnLasts() {
    grantTo(ALICE, 10);
    hears(BOB, request(20, 1));
    hears(CAROL, request(30, 1));
    for (int asked = 2; asked < 10; asked++) {
      hears(BOB, request(20, asked));
      hears(CAROL, request(30, asked));
    }

    hears(BOB, new Inquiry(LOCK, 0, 20, 10));
    assertThat(answer(BOB).waitNanos()).isEqualTo(TIMING.refreshNanos());
    hears(CAROL, new Inquiry(LOCK, 0, 30, 10));
    assertThat(answer(CAROL).waitNanos()).isEqualTo(4 * TIMING.refreshNanos());
  }

  /** Else it would have to ask all the time, only for its grant to be young. */
  @Test
  void aGrantSaysHowLongTheRequestHadWaitedAndLastsByThatMuchLonger() {
    grantTo(ALICE, 10);
    hears(BOB, request(20, 1));
    nanos = 30 * MILLI;
    hears(ALICE, new SigmaRelease(LOCK, 0, 10, 10));

    Response granted = answer(BOB);
    assertThat(granted.leased()).isEqualTo(1);
    assertThat(TIMING.leastNanos(granted.waitNanos())).as("on any clock").isEqualTo(30 * MILLI);
    // Sent at 0 at the earliest, it is good for its lease and the wait, on a clock that is slow.
    nanos = TIMING.serverLeaseNanos(LEASE + 30 * MILLI) - 1;
    hears(CAROL, request(30, 1));
    assertThat(answer(CAROL).yours()).isFalse();
    nanos += 2;
    hears(CAROL, request(30, 2));
    assertThat(sentTo(CAROL)).allSatisfy(sent -> assertThat(((Response) sent).yours()).isTrue());
  }

  @Test
  void noGrantOutlastsAQuarantineHoweverLongItWasWaitedFor() {
    hears(ALICE, new Request(LOCK, 0, 10, TIMING.maxLeaseNanos(), 1));
    hears(BOB, new Request(LOCK, 0, 20, TIMING.maxLeaseNanos(), 1));
    nanos = 70 * MILLI;
    hears(ALICE, new SigmaRelease(LOCK, 0, 10, 10));
    assertThat(answer(BOB).waitNanos()).as("nothing is added").isEqualTo(70 * MILLI);
    nanos += TIMING.serverLeaseNanos(TIMING.maxLeaseNanos()) + 1;
    hears(CAROL, request(30, 1));

    assertThat(answer(CAROL).yours()).isTrue();
  }

  @Test
  void aProlongedGrantCountsFromTheMessageThatProlongedIt() {
    grantTo(ALICE, 10);
    hears(BOB, request(20, 1));
    nanos = 30 * MILLI;
    hears(ALICE, new SigmaRelease(LOCK, 0, 10, 10));
    hears(BOB, new Confirm(LOCK, 0, 20, answer(BOB).grant(), 20, LEASE, 2));

    assertThat(answer(BOB).leased()).isEqualTo(2);
    assertThat(answer(BOB).waitNanos()).isZero();
  }

  @Test
  void aWaiterThatDidNotComeWhenItWasToldToIsSkipped() {
    grantTo(ALICE, 10);
    hears(BOB, request(20, 1));
    nanos = answer(BOB).waitNanos() + TIMING.waiterExpiryNanos() + 1;
    hears(CAROL, request(30, 1));
    hears(BOB, request(20, 1)); // Not a word of its own: it was sent long ago.
    hears(ALICE, new SigmaRelease(LOCK, 0, 10, 10));

    assertThat(sentTo(BOB)).isEmpty();
    assertThat(answer(CAROL).yours()).isTrue();
  }

  @Test
  void nobodyIsSkippedBeforeItWasToComeAgain() {
    hears(ALICE, new Request(LOCK, 0, 10, TIMING.maxLeaseNanos(), 1));
    hears(BOB, request(20, 1));
    hears(CAROL, request(30, 1));
    long toldNanos = answer(CAROL).waitNanos();
    assertThat(toldNanos).isGreaterThan(TIMING.refreshNanos());
    nanos = toldNanos + TIMING.waiterExpiryNanos();
    hears(BOB, new SigmaRelease(LOCK, 0, 20, SigmaRelease.UNUSED));
    hears(ALICE, new SigmaRelease(LOCK, 0, 10, 10));

    assertThat(answer(CAROL).yours()).isTrue();
  }

  @Test
  void grantsNothingInQuarantineAndSaysForHowLong() {
    server = server(TUNING.withQuarantine(true), LockScope.everything(), 10);
    nanos = TIMING.serverLeaseNanos(TIMING.maxLeaseNanos()) - 5;
    hears(ALICE, request(10, 1));
    assertThat(sentTo(ALICE)).containsExactly(new SigmaRefused(10, RefusalReason.QUARANTINED, 5));
    nanos += 5;
    hears(ALICE, request(10, 1));
    assertThat(sentTo(ALICE)).containsExactly(new SigmaRefused(10, RefusalReason.QUARANTINED, 0));
    nanos++;
    hears(ALICE, request(10, 1));

    assertThat(answer(ALICE).yours()).isTrue();
  }

  @Test
  void refusesLongLeasesAndNamesOfOtherBackends() {
    hears(ALICE, new Request(LOCK, 0, 10, TIMING.maxLeaseNanos() + 1, 1));
    assertThat(sentTo(ALICE))
        .containsExactly(
            new SigmaRefused(10, RefusalReason.LEASE_TOO_LONG, TIMING.maxLeaseNanos()));
    BackendTable table =
        BackendTable.all("backoff")
            .with("q/", new BackendTable.Binding("sigma", 1_000))
            .with("q/old", BackendTable.CLOSED);
    server = server(TUNING, table.scopeOf("sigma"), 10);
    hears(ALICE, request(10, 1));
    assertThat(sentTo(ALICE)).containsExactly(new SigmaRefused(10, RefusalReason.OTHER_BACKEND, 0));
    hears(ALICE, new Request("q/old", 0, 10, LEASE, 1));
    assertThat(sentTo(ALICE)).hasOnlyElementsOfType(SigmaRefused.class);
    hears(ALICE, new SigmaRelease("q/old", 0, 10, 10));
    assertThat(effects).isEmpty();
    hears(ALICE, new Request("q/new", 0, 10, LEASE, 1));
    assertThat(answer(ALICE).fence()).as("above the floor").isEqualTo(1_001);
  }

  @Test
  void forgetsIdleLocksAndRemembersHowFarTheirFencesWent() {
    server = server(TUNING, LockScope.everything(), 1);
    hears(ALICE, new Request("one", 0, 70, LEASE, 1));
    hears(ALICE, new Request("two", 0, 10, LEASE, 1));
    assertThat(sentTo(ALICE))
        .containsExactly(new SigmaRefused(10, RefusalReason.TOO_MANY_LOCKS, 1));
    hears(ALICE, new SigmaRelease("one", 0, 70, 70));
    hears(ALICE, new Request("two", 0, 10, LEASE, 1));
    assertThat(answer(ALICE).fence()).isEqualTo(71);
    assertThat(server.view("one")).isEmpty();
  }
}
