package io.testudo.mutex.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.BackendTable;
import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.GrantsLater;
import io.testudo.mutex.protocol.ListLocks;
import io.testudo.mutex.protocol.LockList;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.LockView;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The parts of a server in one that grants a lock to everybody who may ask for it. */
class LockTableTest {
  private static final long MILLI = 1_000_000L;
  private static final long WALL = 1_000_000;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final long LEASE = TIMING.leaseNanos(100 * MILLI);
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);

  private record Wish(String lock, long time, long leaseNanos) implements Message {}

  private record Granted(String lock, long floor) implements Message {}

  private record GoneBack(String lock, boolean isKnown) implements Message {}

  private record No(long time, RefusalReason reason, long limit) implements Message {}

  /** Somebody waits for a lock. */
  private record Patient(Contender contender, long time, long awaitedNanos)
      implements WaitingLine.Member {}

  private static final class Remembered implements LockTable.Entry {
    private final String name;
    private final WaitingLine<Patient> line = new WaitingLine<>();
    private final long floor;
    private long highest;
    private @Nullable LockGrant grant;

    Remembered(String name, long floor) {
      this.name = name;
      this.floor = floor;
      this.highest = floor;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public @Nullable LockGrant grant() {
      return grant;
    }

    @Override
    public long token() {
      return highest;
    }

    @Override
    public long highestToken() {
      return highest;
    }

    @Override
    public WaitingLine<?> waiting() {
      return line;
    }
  }

  private static final class Granter extends Machine<ClientId> {
    final LockTable<Remembered> table;
    final Quarantine quarantine = new Quarantine(this);

    Granter(LockScope scope, int maxLocks) {
      table = new LockTable<>(this, "toy", TIMING, scope, maxLocks, Remembered::new, No::new);
      onMessage(Wish.class, this::onWish);
      onMessage(
          GoneBack.class,
          (from, back) -> {
            Remembered lock = table.open(from, back.lock());
            if (lock != null) {
              lock.grant = null;
            }
            send(from, new GoneBack(back.lock(), lock != null));
          });
    }

    @Override
    protected void onStarted(List<StateRecord> recovered) {
      quarantine.begin(100);
    }

    private void onWish(ClientId from, Wish wish) {
      if (quarantine.lasts()) {
        long leftNanos = quarantine.remainingNanos();
        table.refuse(from, wish.time(), RefusalReason.QUARANTINED, leftNanos);
        return;
      }
      Remembered lock = table.open(from, wish.lock(), wish.time(), wish.leaseNanos());
      if (lock != null && lock.grant != null) {
        lock.line.put(new Patient(new Contender(from, wish.time()), wish.time(), now().nanos()));
      } else if (lock != null) {
        long untilNanos = table.endOf(wish.leaseNanos());
        lock.grant = new LockGrant(new Contender(from, 0), wish.time(), 1, untilNanos);
        lock.highest = Math.max(lock.highest, wish.time());
        send(from, new Granted(wish.lock(), lock.floor));
      }
    }
  }

  private Granter server = server(LockScope.everything(), LockTable.MAX_LOCKS);
  private long nanos = 101;

  private static Granter server(LockScope scope, int maxLocks) {
    Granter made = new Granter(scope, maxLocks);
    List<Effect<ClientId>> effects = made.step(new Input.Started<>(List.of()), new Moment(0, WALL));
    assertThat(effects).containsExactly(new Effect.Tell<>(new GrantsLater(100)));
    return made;
  }

  private List<Message> hears(Message message) {
    return hears(ALICE, message);
  }

  private List<Message> hears(ClientId from, Message message) {
    return server.step(new Input.Received<>(from, message), new Moment(nanos, WALL)).stream()
        .map(effect -> ((Effect.Send<ClientId>) effect).message())
        .toList();
  }

  private LockList list(String prefix, String after) {
    return (LockList) hears(new ListLocks(5, "toy", prefix, after)).get(0);
  }

  @Test
  void refusesALeaseThatIsTooLongAndNamesOfOtherProtocols() {
    server = server(BackendTable.all("toy").with("s/", "sigma").scopeOf("toy"), 8);
    long most = TIMING.maxLeaseNanos();

    assertThat(hears(new Wish("a", 1, most))).containsExactly(new Granted("a", 0));
    assertThat(hears(new Wish("b", 2, most + 1)))
        .containsExactly(new No(2, RefusalReason.LEASE_TOO_LONG, most));
    assertThat(hears(new Wish("s/a", 3, LEASE)))
        .containsExactly(new No(3, RefusalReason.OTHER_BACKEND, 0));
    assertThat(hears(new GoneBack("s/a", true))).containsExactly(new GoneBack("s/a", false));
    assertThat(server.table.all()).hasSize(1);
  }

  @Test
  void tokensOfANameThatWasBoundAnewAreAboveItsFloor() {
    server =
        server(
            BackendTable.all("toy").with("x/", new BackendTable.Binding("toy", 77)).scopeOf("toy"),
            8);

    assertThat(hears(new Wish("x/a", 80, LEASE))).containsExactly(new Granted("x/a", 77));
  }

  @Test
  void refusesMoreLocksThanItRemembersWhileAllAreInUse() {
    server = server(LockScope.everything(), 2);
    List<Message> unused = hears(new Wish("a", 1, LEASE));
    unused = hears(new Wish("b", 2, LEASE));

    assertThat(hears(new Wish("c", 3, LEASE)))
        .containsExactly(new No(3, RefusalReason.TOO_MANY_LOCKS, 2));
    assertThat(server.table.usage()).isEqualTo(new LockUsage(2, 1));

    nanos += TIMING.serverLeaseNanos(LEASE) + 1; // Now both grants are over.
    assertThat(hears(new Wish("c", 3, LEASE))).containsExactly(new Granted("c", 1));
    assertThat(server.table.all()).extracting(Remembered::name).containsExactly("b", "c");
  }

  @Test
  void makesRoomByWhatWasUsedLeastLatelyAndKeepsHowFarItsTokensWent() {
    server = server(LockScope.everything(), 2);
    long ahead = RankClock.atWall(WALL) + 5;
    for (String name : List.of("a", "b")) {
      List<Message> unused = hears(new Wish(name, ahead, LEASE));
      unused = hears(new GoneBack(name, true));
    }
    List<Message> unused = hears(new GoneBack("a", true));

    assertThat(hears(new Wish("c", 3, LEASE))).containsExactly(new Granted("c", 0));
    assertThat(server.table.all()).extracting(Remembered::name).containsExactly("a", "c");
    assertThat(hears(new Wish("b", 4, LEASE))).containsExactly(new Granted("b", ahead));
  }

  @Test
  void keepsALockThatSomebodyWaitsForThoughItsGrantIsOver() {
    server = server(LockScope.everything(), 1);
    List<Message> unused = hears(new Wish("a", 1, LEASE));
    unused = hears(new Wish("a", 2, LEASE));
    nanos += TIMING.serverLeaseNanos(LEASE) + 1;

    assertThat(hears(new Wish("b", 3, LEASE)))
        .containsExactly(new No(3, RefusalReason.TOO_MANY_LOCKS, 1));
  }

  @Test
  void leavesRoomForTheLocksOfOthersHoweverManyOnePrincipalHolds() {
    server = server(LockScope.everything(), 100);
    for (int i = 0; i < 100; i++) {
      assertThat(hears(new Wish("alice/" + i, 1 + i, LEASE))).hasOnlyElementsOfType(Granted.class);
    }
    assertThat(hears(new Wish("alice/more", 200, LEASE))).hasOnlyElementsOfType(No.class);
    for (int i = 0; i < 50; i++) {
      assertThat(hears(BOB, new Wish("bob/" + i, 300 + i, LEASE)))
          .hasOnlyElementsOfType(Granted.class);
    }
    assertThat(hears(BOB, new Wish("bob/more", 400, LEASE))).hasOnlyElementsOfType(No.class);
    assertThat(server.table.all()).hasSize(150);
  }

  @Test
  void comesToLocksThatAreNotInUseThoughManyThatAreWereNotUsedForLonger() {
    server = server(LockScope.everything(), 200);
    long most = TIMING.maxLeaseNanos();
    for (int i = 0; i < 150; i++) {
      assertThat(hears(new Wish("held/" + i, 1 + i, most))).hasOnlyElementsOfType(Granted.class);
    }
    for (int i = 0; i < 50; i++) {
      assertThat(hears(new Wish("idle/" + i, 200 + i, LEASE))).hasOnlyElementsOfType(Granted.class);
      List<Message> unused = hears(new GoneBack("idle/" + i, true));
    }
    boolean isGranted = false;
    for (int i = 0; i < 5; i++) {
      isGranted |= hears(new Wish("new/" + i, 300 + i, LEASE)).get(0) instanceof Granted;
    }
    assertThat(isGranted).isTrue();
  }

  @Test
  void doesNotLookThroughAllLocksForListsAsOftenAsSomebodyLikes() {
    for (int i = 0; i < 2_000; i++) {
      List<Message> unused = hears(new Wish("idle/" + i, 1 + i, LEASE));
      unused = hears(new GoneBack("idle/" + i, true));
    }
    int answered = 0;
    for (int i = 0; i < 1_000; i++) {
      answered += hears(new ListLocks(5, "toy", "", "")).size();
    }
    assertThat(answered).isBetween(400, 600);
    assertThat(hears(BOB, new ListLocks(5, "toy", "", ""))).hasSize(1);
  }

  @Test
  void listsLocksInUseByTheirNamesWithHolderAndThoseWhoWait() {
    for (String name : List.of("b", "a", "c", "other")) {
      List<Message> unused = hears(new Wish(name, 9, LEASE));
    }
    for (long time = 12; time <= 50; time++) {
      List<Message> unused = hears(new Wish("b", time, LEASE));
    }
    List<Message> unused = hears(new GoneBack("c", true));
    nanos += 10;

    assertThat(list("", "").locks()).extracting(LockView::lock).containsExactly("a", "b", "other");
    assertThat(list("", "a").locks()).extracting(LockView::lock).containsExactly("b", "other");
    LockView view = list("b", "").locks().get(0);
    assertThat(view.holding())
        .contains(
            new LockView.Holding(
                new LockView.User(ALICE, 0), 9, TIMING.serverLeaseNanos(LEASE) - 10));
    assertThat(view.waiting()).isEqualTo(39);
    assertThat(view.waiters())
        .hasSize(LockView.MAX_WAITERS)
        .startsWith(new LockView.User(ALICE, 12), new LockView.User(ALICE, 13));
    assertThat(hears(new ListLocks(5, "sigma", "", ""))).isEmpty();
  }

  @Test
  void aQuarantineLastsToItsLastInstantAndNeverComesBack() {
    nanos = 100;
    assertThat(hears(new Wish("a", 1, LEASE)))
        .containsExactly(new No(1, RefusalReason.QUARANTINED, 0));
    nanos = 101;
    assertThat(hears(new Wish("a", 1, LEASE))).containsExactly(new Granted("a", 0));
    nanos = Long.MIN_VALUE + 50; // The clock has come round.
    assertThat(hears(new Wish("b", 1, LEASE))).containsExactly(new Granted("b", 0));
  }
}
