package io.testudo.ordering.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.AskMemory;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.ListObjects;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Superseded;
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

/** What a server keeps of objects that were deleted. */
class TombstonesTest {
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);
  private static final Rank RANK = new Rank(5, 7);

  private OrderingServer server = start(1 << 20);
  private final List<StateRecord> journal = new ArrayList<>();
  private final Sessions sessions = new Sessions();
  private StateId at = StateId.genesis("it");
  private ClientId heard = ALICE;

  private static OrderingServer start(long bytes) {
    return new OrderingServer(
        Mode.SEALED_STATEMENTS,
        Enrolment.FOUNDING,
        new OrderingServer.Settings(OrderingServer.COURTESY_NANOS, bytes));
  }

  @BeforeEach
  void begin() {
    var unused = step(new Input.Started<>(List.of()));
  }

  private List<Message> step(Input<ClientId> input) {
    List<Message> sent = new ArrayList<>();
    for (Effect<ClientId> effect : server.step(input, new Moment(1, 1_000))) {
      if (effect instanceof Effect.Send<ClientId> send && send.to().equals(heard)) {
        sent.add(send.message());
      } else if (effect instanceof Effect.Persist<ClientId> persist) {
        journal.add(persist.record());
      }
    }
    return sent;
  }

  private List<Message> hear(ClientId from, Message message) {
    heard = from;
    return step(new Input.Received<>(from, message));
  }

  private static Statement said(Rank rank, StateId state) {
    return new Statement(rank, state, Optional.empty());
  }

  private List<Message> propose(ClientId from, Rank rank, Entry entry) {
    return hear(
        from,
        new Propose(
            "it", said(rank, entry.state()), Optional.empty(), List.of(entry), Optional.empty()));
  }

  private Entry entry(int bytes, boolean deletes, Optional<LogSnapshot> snapshot) {
    long sequence = at.version() + 1;
    EntryBody.Done done =
        new EntryBody.Done(
            7, sequence, sequence - 1, Bytes.EMPTY, Bytes.wrap(new byte[bytes]), deletes);
    return new Entry(
        sequence,
        at.link(),
        new EntryBody(ImmutableList.of(done), snapshot.map(LogSnapshot::digest)).toBytes());
  }

  /** Has an entry stored and committed; the answer to the proposal. */
  private Message order(ClientId from, Rank rank, Entry entry) {
    Message answer = propose(from, rank, entry).get(0);
    if (answer instanceof Accepted) {
      EntryBody.read(entry.body()).done().forEach(done -> sessions.done(done, entry.version()));
      at = entry.state();
      var unused = hear(from, new Commit("it", said(rank, at), Optional.empty()));
    }
    return answer;
  }

  private Message change(int bytes) {
    return order(ALICE, RANK, entry(bytes, false, Optional.empty()));
  }

  /** Deletes it as a client does: the entry behind names the snapshot of nothing. */
  private Message delete() {
    Message answer = order(ALICE, RANK, entry(2, true, Optional.empty()));
    LogSnapshot nothing = new LogSnapshot(said(RANK, at), sessions.with(Bytes.EMPTY).toBytes());
    var unused = order(ALICE, RANK, entry(0, false, Optional.of(nothing)));
    var unusedToo = hear(ALICE, new InstallSnapshot("it", nothing));
    return answer;
  }

  private List<ObjectList.Item> list(boolean ofCommits) {
    return ((ObjectList) hear(BOB, new ListObjects(1, "", "", ofCommits)).get(0)).objects();
  }

  private void restart() {
    List<StateRecord> records = new ArrayList<>(journal);
    server = start(1 << 20);
    journal.clear();
    journal.addAll(records);
    var unused = step(new Input.Started<>(records));
  }

  @Test
  void givesBackTheRoomOfADeletedObject() {
    assertThat(change(100_000)).isInstanceOf(Accepted.class);
    assertThat(server.usage().bytes()).isGreaterThan(100_000);
    assertThat(list(false)).hasSize(1);
    assertThat(delete()).isInstanceOf(Accepted.class);
    assertThat(server.usage().bytes()).isEqualTo(Quota.TOMBSTONE_BYTES);
    assertThat(server.usage().objects()).isZero();
    assertThat(server.usage().tombstones()).isEqualTo(1);
    assertThat(server.memoryBytes()).isLessThan(ServedObject.MAX_TOMBSTONE_BYTES);
    assertThat(list(false)).isEmpty();
    assertThat(list(true)).extracting(ObjectList.Item::isAbsent).containsExactly(true);
    List<StateRecord> kept = server.snapshot();
    assertThat(kept.toString().length()).isLessThan(2_000);

    restart();
    assertThat(server.usage().bytes()).isEqualTo(Quota.TOMBSTONE_BYTES);
    assertThat(server.usage().tombstones()).isEqualTo(1);
  }

  @Test
  void doesNotCountWhatNothingWasEverMadeOf() {
    assertThat(order(ALICE, RANK, entry(0, false, Optional.empty()))).isInstanceOf(Accepted.class);
    assertThat(list(false)).isEmpty();
    assertThat(server.usage().objects()).isZero();
    restart();
    assertThat(list(true)).extracting(ObjectList.Item::isAbsent).containsExactly(true);
    assertThat(change(10)).isInstanceOf(Accepted.class);
    assertThat(list(false)).hasSize(1);
    assertThat(server.usage().objects()).isEqualTo(1);
  }

  @Test
  void neverForgetsTheNameNorWhatWasPromised() {
    assertThat(change(10)).isInstanceOf(Accepted.class);
    StateId old = at;
    assertThat(delete()).isInstanceOf(Accepted.class);
    restart();
    MemoryPage page = (MemoryPage) hear(BOB, new AskMemory(1, List.of(), "")).get(0);
    assertThat(page.names()).extracting(MemoryPage.Name::object).containsExactly("it");
    Rank lower = new Rank(4, 8);
    assertThat(hear(BOB, new Get("it", 1, lower, Optional.empty(), Optional.empty(), false)).get(0))
        .isInstanceOf(Superseded.class);
    var unused = hear(BOB, new Commit("it", said(RANK, old), Optional.empty()));
    assertThat(server.committed("it").orElseThrow().state()).isEqualTo(at);
    assertThat(list(false)).isEmpty();
  }

  @Test
  void isChargedToWhoMakesItAnew() {
    assertThat(change(10)).isInstanceOf(Accepted.class);
    assertThat(delete()).isInstanceOf(Accepted.class);
    assertThat(order(BOB, new Rank(6, 8), entry(10, false, Optional.empty())))
        .isInstanceOf(Accepted.class);
    assertThat(server.usage().bytes()).isEqualTo(Quota.LEAST_BYTES);
    assertThat(server.usage().tombstones()).isZero();
    assertThat(list(false)).hasSize(1);
    restart();
    assertThat(server.usage().bytes()).isEqualTo(Quota.LEAST_BYTES);
    assertThat(server.usage().objects()).isEqualTo(1);
  }

  @Test
  void canDeleteWhereThereIsNoRoomLeft() {
    while (change(50_000) instanceof Accepted) {
      assertThat(server.usage().bytes()).isLessThan(1 << 20);
    }
    while (change(300) instanceof Accepted) {
      assertThat(server.usage().bytes()).isLessThan(1 << 20);
    }
    assertThat(change(300)).isInstanceOf(Busy.class);
    assertThat(delete()).isInstanceOf(Accepted.class);
    assertThat(server.usage().bytes()).isEqualTo(Quota.TOMBSTONE_BYTES);
    assertThat(change(300)).isInstanceOf(Accepted.class);
  }

  @Test
  void doesNotLetDeletionsGoBeyondItsRoomWithoutEnd() {
    while (change(50_000) instanceof Accepted) {
      assertThat(server.usage().bytes()).isLessThan(1 << 20);
    }
    while (change(300) instanceof Accepted) {
      assertThat(server.usage().bytes()).isLessThan(1 << 20);
    }
    int accepted = 0;
    while (order(ALICE, RANK, entry(2, true, Optional.empty())) instanceof Accepted) {
      accepted++;
      assertThat(accepted).isLessThan(20);
    }
    assertThat(accepted).isPositive();
  }

  /** Names cost somebody something for ever: one principal must not use up those of others. */
  @Test
  void leavesRoomForTheTombstonesOfOthers() {
    server = start(1L << 30);
    begin();
    ClientId mallory = new ClientId("mallory", 9, 1);
    int names = 0;
    while (leavesNothing(mallory, "m/" + names)) {
      names++;
    }
    assertThat(names).isEqualTo((CompleteMemory.MAX_TOMBSTONES + CompleteMemory.MAX_OBJECTS) / 2);
    assertThat(server.usage().tombstones()).isEqualTo(CompleteMemory.MAX_TOMBSTONES / 2);
    assertThat(leavesNothing(mallory, "m/0")).as("a name that it has used").isTrue();

    assertThat(change(100)).isInstanceOf(Accepted.class);
    assertThat(delete()).isInstanceOf(Accepted.class);
    assertThat(server.usage().tombstones()).isEqualTo(CompleteMemory.MAX_TOMBSTONES / 2 + 1);
    assertThat(server.usage().objects()).isEqualTo(CompleteMemory.MAX_OBJECTS / 2);
  }

  /** Orders something that changes nothing; whether there was room for the name. */
  private boolean leavesNothing(ClientId from, String name) {
    EntryBody.Done done = new EntryBody.Done(9, 1, 0, Bytes.EMPTY, Bytes.EMPTY, false);
    Entry entry = new Entry(1, StateId.genesis(name).link(), EntryBody.of(done).toBytes());
    Statement said = said(RANK, entry.state());
    List<Message> answers =
        hear(from, new Propose(name, said, Optional.empty(), List.of(entry), Optional.empty()));
    var unused = hear(from, new Commit(name, said, Optional.empty()));
    return answers.get(0) instanceof Accepted;
  }
}
