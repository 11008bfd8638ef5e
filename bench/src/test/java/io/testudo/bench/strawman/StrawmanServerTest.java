package io.testudo.bench.strawman;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.bench.strawman.Rejected.Reason;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps of the server machine. */
class StrawmanServerTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final long LEASE = TIMING.leaseNanos(100 * MILLI);
  private static final long SERVER_LEASE = TIMING.serverLeaseNanos(LEASE);
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);

  /** All names but one, whose tokens begin above a floor if it has one. */
  private static final LockScope SCOPE =
      new LockScope() {
        @Override
        public boolean serves(String lock) {
          return !lock.equals("elsewhere");
        }

        @Override
        public long fenceFloor(String lock) {
          return lock.equals("moved") ? 70 : 0;
        }
      };

  private final StrawmanServer server = started(new StrawmanServer(TIMING, SCOPE, 2));
  private long nanos;

  private static StrawmanServer started(StrawmanServer server) {
    server.step(new Input.Started<>(List.of()), new Moment(0, 0));
    return server;
  }

  private List<Message> hear(ClientId from, Message message) {
    return server.step(new Input.Received<>(from, message), new Moment(nanos, 1_000)).stream()
        .map(effect -> ((Effect.Send<ClientId>) effect).message())
        .toList();
  }

  private List<Message> ask(ClientId from, String lock, long attempt) {
    return hear(from, new Ask(lock, attempt, 1, LEASE));
  }

  @Test
  void grantsWhatNobodyOwnsAndNamesTheOwnerToOthers() {
    assertThat(ask(ALICE, "a", 1)).containsExactly(new Granted("a", 1, 1, 0));
    assertThat(ask(BOB, "a", 2)).containsExactly(new Rejected(2, 1, Reason.OWNED, 7, 0));
    assertThat(ask(ALICE, "a", 3)).containsExactly(new Rejected(3, 1, Reason.OWNED, 7, 0));
    assertThat(server.owner("a", nanos)).contains(ALICE);
  }

  @Test
  void isFreeWhenItsOwnerDropsItAndNotWhenAnotherAttemptDoes() {
    ask(ALICE, "a", 1);
    hear(BOB, new Drop("a", 1, 0));
    hear(ALICE, new Drop("a", 2, 0));
    assertThat(server.owner("a", nanos)).contains(ALICE);
    hear(ALICE, new Drop("a", 1, 0));
    assertThat(ask(BOB, "a", 2)).containsExactly(new Granted("a", 2, 1, 0));
  }

  @Test
  void isFreeAfterTheLeaseAndNotAnInstantEarlier() {
    ask(ALICE, "a", 1);
    nanos = SERVER_LEASE;
    assertThat(ask(BOB, "a", 2)).hasOnlyElementsOfType(Rejected.class);
    nanos = SERVER_LEASE + 1;
    assertThat(ask(BOB, "a", 2)).hasOnlyElementsOfType(Granted.class);
  }

  @Test
  void renewsALeaseAndNeverShortensIt() {
    ask(ALICE, "a", 1);
    nanos = 50 * MILLI;
    hear(ALICE, new Ask("a", 1, 2, LEASE));
    hear(ALICE, new Ask("a", 1, 3, 1));
    nanos = 50 * MILLI + SERVER_LEASE;
    assertThat(ask(BOB, "a", 2)).hasOnlyElementsOfType(Rejected.class);
  }

  @Test
  void passesOnTheHighestFenceThatHoldersTold() {
    ask(ALICE, "a", 1);
    hear(ALICE, new Drop("a", 1, 40));
    hear(BOB, new Drop("a", 9, 30));
    assertThat(ask(BOB, "a", 2)).containsExactly(new Granted("a", 2, 1, 40));
  }

  @Test
  void refusesLongerLeasesThanItIsConfiguredFor() {
    long longest = TIMING.maxLeaseNanos();
    assertThat(hear(ALICE, new Ask("a", 1, 1, longest + 1)))
        .containsExactly(new Rejected(1, 1, Reason.LEASE_TOO_LONG, 0, longest));
  }

  @Test
  void makesRoomForLocksByForgettingThoseThatNobodyOwns() {
    ask(ALICE, "a", 1);
    ask(ALICE, "b", 2);
    assertThat(ask(ALICE, "c", 3)).containsExactly(new Rejected(3, 1, Reason.TOO_MANY_LOCKS, 0, 2));
    hear(ALICE, new Drop("a", 1, 40));
    assertThat(ask(ALICE, "c", 3)).containsExactly(new Granted("c", 3, 1, 40));
    assertThat(server.owner("b", nanos)).contains(ALICE);
  }

  @Test
  void leavesNamesOfOtherBackendsAloneAndBeginsAboveTheirFences() {
    assertThat(ask(ALICE, "elsewhere", 1))
        .containsExactly(new Rejected(1, 1, Reason.OTHER_BACKEND, 0, 0));
    assertThat(ask(ALICE, "moved", 2)).containsExactly(new Granted("moved", 2, 1, 70));
  }
}
