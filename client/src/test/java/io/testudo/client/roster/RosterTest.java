package io.testudo.client.roster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.roster.Standing.Kind;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.Operation;
import io.testudo.quorum.Bytes;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class RosterTest {
  private static final RosterType PERMITS = RosterType.SEMAPHORE;
  private static final RosterType BARRIER = RosterType.BARRIER;

  private Roster roster = Roster.EMPTY;

  /** Applies an operation as clients do: by its delta, and through its bytes. */
  private <A> Standing apply(Operation<Roster, A, Standing> operation, A argument) {
    Bytes sent = operation.arguments().encode(argument, 1_000, "argument");
    Operation.Step<Roster, Standing> step =
        operation.apply(roster, operation.arguments().decode(sent));
    Roster replayed =
        step.changed() ? operation.replay(roster, step.delta().orElseThrow()) : roster;
    assertThat(replayed).isEqualTo(step.after());
    Bytes state = PERMITS.type().encode(step.after());
    roster = PERMITS.type().codec(1).orElseThrow().decode(state);
    assertThat(roster).isEqualTo(step.after());
    Bytes result = Standing.CODEC.encode(step.result(), 100, "result");
    return Standing.CODEC.decode(result);
  }

  private Standing enter(long id, int weight, int size) {
    return apply(PERMITS.enter(), new Entrance(id, "alice", weight, 1_000, size, true));
  }

  private Standing tryToEnter(long id, int weight, int size) {
    return apply(PERMITS.enter(), new Entrance(id, "alice", weight, 1_000, size, false));
  }

  private static Standing held(long fence) {
    return new Standing(Kind.HELD, fence);
  }

  private List<Long> waiters() {
    return roster.waiters().stream().map(Member::id).toList();
  }

  @Test
  void givesOutAsMuchAsThereIs() {
    assertThat(enter(1, 1, 2)).isEqualTo(held(1));
    assertThat(enter(2, 1, 2)).isEqualTo(held(2));
    assertThat(enter(3, 1, 2).kind()).isEqualTo(Kind.WAITING);
    assertThat(apply(PERMITS.leave(), 1L)).isEqualTo(held(1));
    assertThat(roster.find(3).orElseThrow().fence()).isEqualTo(3);
    assertThat(roster.taken()).isEqualTo(2);
  }

  @Test
  void entersOnceHoweverOftenItIsSaid() {
    assertThat(enter(1, 1, 2)).isEqualTo(held(1));
    assertThat(enter(1, 1, 2)).isEqualTo(held(1));
    assertThat(roster.holders()).hasSize(1);
  }

  @Test
  void doesNotLetReadersOvertakeAWaitingWriter() {
    assertThat(enter(1, 1, 10).kind()).isEqualTo(Kind.HELD);
    assertThat(enter(2, 10, 10).kind()).isEqualTo(Kind.WAITING);
    assertThat(enter(3, 1, 10).kind()).isEqualTo(Kind.WAITING);
    assertThat(tryToEnter(4, 1, 10).kind()).isEqualTo(Kind.BUSY);
    apply(PERMITS.leave(), 1L);
    assertThat(roster.find(2).orElseThrow().fence()).isEqualTo(2);
    assertThat(waiters()).containsExactly(3L);
    apply(PERMITS.leave(), 2L);
    assertThat(roster.find(3).orElseThrow().fence()).isEqualTo(3);
  }

  @Test
  void letsThoseBehindInWhenAWaiterGivesUp() {
    enter(1, 1, 10);
    enter(2, 10, 10);
    enter(3, 1, 10);
    assertThat(apply(PERMITS.leave(), 2L).kind()).isEqualTo(Kind.WAITING);
    assertThat(roster.find(3).orElseThrow().fence()).isEqualTo(2);
  }

  @Test
  void evictsExactlyTheBeatsThatWereSeen() {
    enter(1, 1, 1);
    apply(PERMITS.renew(), new Beat(1, 2, 1_000));
    assertThat(apply(PERMITS.evict(), new Beat(1, 1, 1_000))).isEqualTo(Standing.GONE);
    assertThat(roster.find(1)).isPresent();
    assertThat(apply(PERMITS.evict(), new Beat(1, 2, 1_000))).isEqualTo(held(1));
    assertThat(roster.find(1)).isEmpty();
    assertThat(apply(PERMITS.renew(), new Beat(1, 3, 1_000))).isEqualTo(Standing.GONE);
  }

  @Test
  void takesNoBeatBack() {
    enter(1, 1, 1);
    apply(PERMITS.renew(), new Beat(1, 3, 2_000));
    assertThat(apply(PERMITS.renew(), new Beat(1, 2, 1_000))).isEqualTo(held(1));
    assertThat(roster.find(1).orElseThrow().beats()).isEqualTo(3);
    assertThat(roster.find(1).orElseThrow().leaseMillis()).isEqualTo(2_000);
  }

  @Test
  void letsNobodyInWithAnotherSize() {
    enter(1, 1, 2);
    assertThat(enter(2, 1, 3)).isEqualTo(new Standing(Kind.OTHER_SIZE, 2));
    assertThat(roster.members()).hasSize(1);
  }

  @Test
  void isBounded() {
    assertThat(enter(0, 1, 1)).isEqualTo(held(1));
    for (int id = 1; id <= Roster.MAX_WAITERS; id++) {
      assertThat(enter(id, 1, 1).kind()).isEqualTo(Kind.WAITING);
    }
    assertThat(enter(5_000, 1, 1).kind()).isEqualTo(Kind.FULL);
    assertThat(waiters()).hasSize(Roster.MAX_WAITERS);
  }

  @Test
  void hasRoomForAsManyHolders() {
    for (int id = 0; id < Roster.MAX_HOLDERS; id++) {
      assertThat(enter(id, 1, 1_000_000).kind()).isEqualTo(Kind.HELD);
    }
    assertThat(enter(5_000, 1, 1_000_000).kind()).isEqualTo(Kind.WAITING);
    apply(PERMITS.leave(), 7L);
    assertThat(roster.find(5_000).orElseThrow().fence()).isEqualTo(Roster.MAX_HOLDERS + 1L);
  }

  @Test
  void gathersInGenerations() {
    for (long id = 1; id <= 5; id++) {
      apply(BARRIER.enter(), new Entrance(id, "alice", 1, 1_000, 2, true));
    }
    assertThat(roster.holders().stream().map(Member::fence)).containsExactly(1L, 1L, 2L, 2L);
    assertThat(waiters()).containsExactly(5L);
    assertThat(apply(BARRIER.leave(), 5L).kind()).isEqualTo(Kind.WAITING);
    assertThat(apply(BARRIER.leave(), 2L)).isEqualTo(held(1));
  }

  /** Whoever was gathered has gone on: it may be told late, and must not be told otherwise. */
  @Test
  void remembersWhomItHasGatheredUntilTheyLeave() {
    for (long id = 1; id <= 3; id++) {
      apply(BARRIER.enter(), new Entrance(id, "alice", 1, 1_000, 2, true));
    }
    assertThat(BARRIER.evictable(roster).map(Member::id)).containsExactly(3L);
    assertThat(apply(BARRIER.evict(), new Beat(1, 1, 1_000))).isEqualTo(Standing.GONE);
    assertThat(apply(BARRIER.renew(), new Beat(1, 2, 1_000))).isEqualTo(held(1));
    assertThat(apply(BARRIER.evict(), new Beat(3, 1, 1_000)).kind()).isEqualTo(Kind.WAITING);
    assertThat(waiters()).isEmpty();
    assertThat(apply(BARRIER.leave(), 1L)).isEqualTo(held(1));
  }

  @Test
  void gathersOnIfNobodyEverLeaves() {
    int size = Roster.MAX_WAITERS;
    for (int id = 1; id <= 5 * size; id++) {
      apply(BARRIER.enter(), new Entrance(id, "alice", 1, 1_000, size, true));
    }
    assertThat(roster.lastFence()).isEqualTo(5);
    assertThat(roster.holders()).hasSize(Roster.MAX_HOLDERS);
    assertThat(apply(BARRIER.leave(), 1L)).as("the oldest make room").isEqualTo(Standing.GONE);
    assertThat(apply(BARRIER.leave(), size + 1L)).isEqualTo(held(2));
  }

  @Test
  void seesOverdueMembersOnlyByUnchangedBeats() {
    MemberSightings sightings = new MemberSightings(new LeaseRule(0.1));
    enter(1, 1, 2);
    enter(2, 1, 2);
    long patience = new LeaseRule(0.1).patienceNanos(1_000);
    assertThat(patience).isEqualTo(1_100_000_000L);
    sightings.see(PERMITS.evictable(roster), 0);
    apply(PERMITS.renew(), new Beat(2, 2, 1_000));
    sightings.see(PERMITS.evictable(roster), patience / 2);
    assertThat(sightings.overdue(patience - 1)).isEmpty();
    assertThat(sightings.untilNextNanos(patience - 1)).hasValue(1);
    assertThat(sightings.overdue(patience)).containsExactly(new Beat(1, 1, 1_000));
    sightings.tried(new Beat(1, 1, 1_000), patience);
    assertThat(sightings.overdue(patience)).isEmpty();
    assertThat(sightings.overdue(patience + patience / 2)).containsExactly(new Beat(2, 2, 1_000));
  }

  @Test
  void readsNoStandingThatThereIsNot() {
    assertThatThrownBy(() -> Standing.CODEC.decode(Bytes.wrap(new byte[] {14, 0})))
        .isInstanceOf(MalformedValueException.class);
  }

  /** What was written must be read for ever. */
  @Test
  void keepsItsBytes() {
    enter(1, 1, 2);
    apply(PERMITS.enter(), new Entrance(2, "bob", 2, 1_000, 2, true));
    String kept =
        "0402010000000000000001"
            + "05616c696365"
            + "0202d00f02"
            + "01"
            + "000000000000000203626f620400d00f02";
    assertThat(PERMITS.type().encode(roster)).isEqualTo(Bytes.wrap(HexFormat.of().parseHex(kept)));
  }
}
