package io.testudo.ordering.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.SnapshotBody;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.Fetch;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Unattended;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one principal can make a server keep or send leaves enough to others. */
class ServerBudgetsTest {
  private static final String OBJECT = "it";
  private static final ClientId MALLORY = new ClientId("mallory", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);
  private static final int MIB = 1 << 20;

  private OrderingServer server = new OrderingServer(Mode.SEALED_STATEMENTS);
  private long nanos = 1;
  private final List<StateRecord> journal = new ArrayList<>();

  @BeforeEach
  void start() {
    var unused = step(new Input.Started<>(List.of()));
  }

  private List<Message> step(Input<ClientId> input) {
    List<Message> sent = new ArrayList<>();
    for (Effect<ClientId> effect : server.step(input, new Moment(nanos, 1_000))) {
      if (effect instanceof Effect.Send<ClientId> send) {
        sent.add(send.message());
      } else if (effect instanceof Effect.Persist<ClientId> persist) {
        journal.add(persist.record());
      }
    }
    return sent;
  }

  private List<Message> hear(ClientId from, Message message) {
    return step(new Input.Received<>(from, message));
  }

  private static Get get(String object, long time) {
    Rank rank = time == 0 ? Rank.NONE : new Rank(time, 7);
    return new Get(object, 5, rank, Optional.empty(), Optional.empty(), false);
  }

  private static Entry entry(StateId parent, long sequence, int bytes) {
    EntryBody.Done done =
        new EntryBody.Done(1, sequence, 0, Bytes.EMPTY, Bytes.wrap(new byte[bytes]));
    return new Entry(parent.version() + 1, parent.link(), EntryBody.of(done).toBytes());
  }

  private void propose(long time, Entry... entries) {
    var unused = propose(MALLORY, OBJECT, time, entries);
  }

  private List<Message> propose(ClientId from, String object, long time, Entry... entries) {
    Statement statement =
        new Statement(new Rank(time, 7), entries[entries.length - 1].state(), Optional.empty());
    return hear(
        from, new Propose(object, statement, Optional.empty(), List.of(entries), Optional.empty()));
  }

  private void startWith(long maxBytes, List<StateRecord> records) {
    server =
        new OrderingServer(
            Mode.SEALED_STATEMENTS,
            Enrolment.FOUNDING,
            new OrderingServer.Settings(OrderingServer.COURTESY_NANOS, maxBytes));
    var unused = step(new Input.Started<>(records));
  }

  /** Proposes and commits entries one after another until one is refused. */
  private StateId fill(ClientId from, String object, int bytes) {
    StateId at = StateId.genesis(object);
    for (int i = 1; i < 1_000; i++) {
      Entry next = entry(at, i, bytes);
      if (!(propose(from, object, 1, next).get(0) instanceof Accepted)) {
        return at;
      }
      at = next.state();
      Statement commit = new Statement(new Rank(1, 7), at, Optional.empty());
      var unused = hear(from, new Commit(object, commit, Optional.empty()));
    }
    throw new AssertionError("nothing was refused");
  }

  private static LogSnapshot snapshot(StateId state, int bytes) {
    SnapshotBody body = SnapshotBody.of(Bytes.wrap(new byte[bytes]));
    return new LogSnapshot(new Statement(new Rank(1, 7), state, Optional.empty()), body.toBytes());
  }

  private static Submit submit(ClientId from, long sequence, int bytes) {
    return new Submit(
        OBJECT,
        new SubmittedOperation(
            new OpId(OpId.sessionOf(from), sequence),
            0,
            Bytes.copyOf(new byte[bytes]),
            Optional.empty()));
  }

  private List<SubmittedOperation> pending(long time) {
    return ((Report) hear(BOB, get(OBJECT, time)).get(0)).pending();
  }

  @Test
  void tellsWhoFindsNoRoom() {
    startWith(4 * Quota.LEAST_BYTES, List.of());
    var unused = fill(MALLORY, OBJECT, 2_000);
    assertThat(hear(MALLORY, get("another", 1)))
        .containsExactly(new Busy("another", Rank.NONE, Busy.Lack.OBJECTS));
    Entry large = entry(StateId.genesis(OBJECT), 99, (int) (4 * Quota.LEAST_BYTES));
    assertThat(propose(MALLORY, OBJECT, 2, large))
        .contains(new Busy(OBJECT, new Rank(2, 7), Busy.Lack.BYTES));
    assertThat(hear(BOB, get(OBJECT, 3))).hasAtLeastOneElementOfType(Report.class);
  }

  @Test
  void questionsMakeNoObjects() {
    for (int i = 0; i < CompleteMemory.MAX_OBJECTS + 1; i++) {
      assertThat(hear(MALLORY, get("x" + i, 0))).singleElement().isInstanceOf(Report.class);
    }
    assertThat(server.memoryBytes()).isZero();
    assertThat(hear(BOB, submit(BOB, 1, 1))).hasOnlyElementsOfType(Unattended.class);
  }

  @Test
  void oneAloneLeavesMachineOfTheObjectsToOthers() {
    for (int i = 0; i < CompleteMemory.MAX_OBJECTS; i++) {
      var unused = hear(MALLORY, get("x" + i, 5));
    }
    for (int i = 0; i < CompleteMemory.MAX_OBJECTS / 4; i++) {
      assertThat(hear(BOB, get("y" + i, 5))).hasOnlyElementsOfType(Report.class);
    }
  }

  @Test
  void whatOneHasCommittedLeavesMachineOfTheRoomToOthersAlsoAfterARestart() {
    startWith(32 * MIB, List.of());
    journal.clear();
    StateId full = fill(MALLORY, "x", MIB);
    assertThat(server.memoryBytes()).isBetween(12L * MIB, 16L * MIB);
    assertThat(propose(MALLORY, "y", 1, entry(StateId.genesis("y"), 1, MIB)))
        .noneMatch(Accepted.class::isInstance);
    assertThat(server.usage().refused()).isPositive();
    for (List<StateRecord> records : List.of(List.copyOf(journal), server.snapshot())) {
      startWith(32 * MIB, records);
      assertThat(server.usage().bytes()).isBetween(12L * MIB, 16L * MIB);
      assertThat(propose(MALLORY, "x", 2, entry(full, 99, MIB)))
          .noneMatch(Accepted.class::isInstance);
      StateId others = fill(BOB, "z", MIB);
      assertThat(others.version()).isGreaterThan(4);
    }
  }

  @Test
  void aStateThatIsShorterThanWhatLedToItMakesRoom() {
    startWith(32 * MIB, List.of());
    StateId full = fill(MALLORY, "x", MIB);
    long before = server.usage().bytes();
    var unused = hear(MALLORY, new InstallSnapshot("x", snapshot(full, MIB)));
    assertThat(server.usage().bytes()).isLessThan(before - 8 * MIB);
    assertThat(propose(MALLORY, "x", 2, entry(full, 99, MIB)))
        .hasAtLeastOneElementOfType(Accepted.class);
  }

  @Test
  void aSmallObjectCanGoOnWhereThereIsNoRoomButNotGrow() {
    startWith(32 * MIB, List.of());
    StateId begin = StateId.genesis("small");
    Entry first = entry(begin, 1, 10);
    assertThat(propose(MALLORY, "small", 1, first)).hasAtLeastOneElementOfType(Accepted.class);
    StateId unused = fill(MALLORY, "x", MIB);
    unused = fill(MALLORY, "y", 10_000);
    assertThat(propose(MALLORY, "small", 2, entry(first.state(), 2, 10)))
        .hasAtLeastOneElementOfType(Accepted.class);
    long before = server.usage().bytes();
    var dropped = hear(MALLORY, new InstallSnapshot("small", snapshot(first.state(), 2 * MIB)));
    assertThat(dropped).isEmpty();
    assertThat(server.usage().bytes()).isEqualTo(before);
  }

  @Test
  void whoMadeObjectsIsKnownAfterARestart() {
    for (int i = 0; i < CompleteMemory.MAX_OBJECTS; i++) {
      var unused = hear(MALLORY, get("x" + i, 5));
    }
    for (List<StateRecord> records : List.of(List.copyOf(journal), server.snapshot())) {
      startWith(1L << 30, records);
      assertThat(hear(MALLORY, get("z", 5))).hasOnlyElementsOfType(Busy.class);
      assertThat(hear(BOB, get("z", 5))).hasOnlyElementsOfType(Report.class);
    }
  }

  @Test
  void pendingOperationsOfOneLeaveRoomForThoseOfOthers() {
    for (int i = 2; i < 1_000; i++) {
      var unused = hear(MALLORY, submit(MALLORY, i, MIB));
    }
    assertThat(server.memoryBytes()).isLessThan(OrderingServer.MAX_PENDING_BYTES);
    var unused = hear(BOB, submit(BOB, 1, MIB / 2));
    // Behind all of the others it would be told of after many messages.
    assertThat(pending(5)).extracting(it -> it.id().session()).contains(OpId.sessionOf(BOB));
  }

  @Test
  void smallOnesOfOneLeaveRoomForThoseOfOthers() {
    for (int i = 2; i < 2 * PendingOperations.MAX_PENDING; i++) {
      var unused = hear(MALLORY, submit(MALLORY, i, 0));
    }
    var unused = hear(BOB, submit(BOB, 1, 0));
    assertThat(pending(5)).extracting(it -> it.id().session()).contains(OpId.sessionOf(BOB));
  }

  @Test
  void operationsThatNobodyAsksForAnyMoreAreDropped() {
    for (int i = 2; i < 12; i++) {
      var unused = hear(MALLORY, submit(MALLORY, i, MIB));
    }
    nanos += PendingOperations.PENDING_NANOS;
    var unused = hear(BOB, submit(BOB, 1, 1));
    assertThat(pending(5)).hasSize(1);
    assertThat(server.memoryBytes()).isLessThan(MIB);
  }

  @Test
  void proposalsThatWereNotChosenGoButNothingThatIsNeededDoes() {
    Entry first = entry(StateId.genesis(OBJECT), 1, 10);
    propose(1, first);
    var unused =
        hear(
            MALLORY,
            new Commit(
                OBJECT,
                new Statement(new Rank(1, 7), first.state(), Optional.empty()),
                Optional.empty()));
    for (int i = 2; i < 102; i++) {
      propose(i, entry(first.state(), i, 2 * MIB));
      assertThat(server.memoryBytes()).isLessThan(ServedObject.MAX_BRANCH_BYTES + 5 * MIB);
    }
    OrderingServer before = server;
    for (List<StateRecord> records : List.of(List.copyOf(journal), before.snapshot())) {
      server = new OrderingServer(Mode.SEALED_STATEMENTS);
      var started = step(new Input.Started<>(records));
      assertThat(started).isEmpty();
      assertThat(server.proposed(OBJECT)).isEqualTo(before.proposed(OBJECT));
      assertThat(server.committed(OBJECT)).isEqualTo(before.committed(OBJECT));
      assertThat(server.memoryBytes()).isLessThan(ServedObject.MAX_BRANCH_BYTES + 5 * MIB);
    }
  }

  @Test
  void aPastThatComesInManyPartsStaysUntilItIsComplete() {
    List<Entry> past = new ArrayList<>();
    StateId at = StateId.genesis(OBJECT);
    for (int i = 1; i <= 12; i++) {
      past.add(entry(at, i, 2 * MIB));
      at = past.get(past.size() - 1).state();
    }
    Statement last = new Statement(new Rank(1, 7), at, Optional.empty());
    for (Entry entry : past) {
      var unused =
          hear(
              MALLORY,
              new Propose(OBJECT, last, Optional.empty(), List.of(entry), Optional.empty()));
    }
    assertThat(server.proposed(OBJECT)).contains(last);
  }

  private static long bytesOf(List<Message> sent) {
    long bytes = 0;
    for (Message message : sent) {
      List<Entry> entries =
          message instanceof Bodies bodies
              ? bodies.entries()
              : message instanceof Report report ? report.entries() : List.of();
      bytes += entries.stream().mapToLong(entry -> entry.body().size()).sum();
    }
    return bytes;
  }

  @Test
  void shortQuestionsHaveNoMoreLongAnswersThanCanBeSent() {
    Entry entry = entry(StateId.genesis(OBJECT), 1, MIB - 1_000);
    propose(1, entry);
    StateId genesis = StateId.genesis(OBJECT);
    long bytes = 0;
    for (int i = 0; i < 4_000; i++) {
      bytes += bytesOf(hear(MALLORY, new Fetch(OBJECT, genesis, entry.state())));
      bytes +=
          bytesOf(
              hear(
                  MALLORY,
                  new Get(OBJECT, i, Rank.NONE, Optional.empty(), Optional.of(genesis), false)));
    }
    assertThat(bytes).isBetween(1L, ServerMemory.ANSWER_BYTES + MIB);
    assertThat(bytesOf(hear(BOB, new Fetch(OBJECT, genesis, entry.state())))).isPositive();
    nanos += 1_000_000_000;
    assertThat(bytesOf(hear(MALLORY, new Fetch(OBJECT, genesis, entry.state())))).isPositive();
  }
}
