package io.testudo.ordering.server;

import static java.util.concurrent.TimeUnit.SECONDS;
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
import io.testudo.ordering.message.Fetch;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Who may order some object can give it a past as long as a server has room for. Short messages
 * that have the server look through all of it would leave no time to others, so what they cost is
 * bounded, or charged to who sends them. Each of these tests takes about a second; where every
 * message looks at everything, they take minutes, which is what the guard is for.
 */
@Timeout(value = 60, unit = SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongPastTest {
  private static final String OBJECT = "mine/it";
  private static final ClientId MALLORY = new ClientId("mallory", 7, 1);
  private static final int LENGTH = 50_000;
  private static final int MESSAGES = 200_000;

  private OrderingServer server = new OrderingServer(Mode.SEALED_STATEMENTS);

  /** Time stands still, so that nobody is given more than it may have at once. */
  private final Moment now = new Moment(1, 1_000);

  private List<Message> hear(Message message) {
    List<Message> sent = new ArrayList<>();
    for (Effect<ClientId> effect : server.step(new Input.Received<>(MALLORY, message), now)) {
      if (effect instanceof Effect.Send<ClientId> send) {
        sent.add(send.message());
      }
    }
    return sent;
  }

  private void start(long maxBytes) {
    server =
        new OrderingServer(
            Mode.SEALED_STATEMENTS,
            Enrolment.FOUNDING,
            new OrderingServer.Settings(OrderingServer.COURTESY_NANOS, maxBytes));
    var unused = server.step(new Input.Started<>(List.of()), now);
  }

  private static Entry entry(StateId before, long sequence) {
    EntryBody.Done done = new EntryBody.Done(1, sequence, 0, Bytes.EMPTY, Bytes.EMPTY);
    return new Entry(before.version() + 1, before.link(), EntryBody.of(done).toBytes());
  }

  private static Statement said(long time, StateId state) {
    return new Statement(new Rank(time, 7), state, Optional.empty());
  }

  private List<Message> propose(long time, StateId state, List<Entry> entries) {
    return hear(
        new Propose(OBJECT, said(time, state), Optional.empty(), entries, Optional.empty()));
  }

  /** A past of that many entries from some state on, of which nothing is committed. */
  private List<Entry> proposePast(long time, StateId from, int length) {
    List<Entry> past = new ArrayList<>();
    StateId at = from;
    while (past.size() < length) {
      int first = past.size();
      for (int i = 0; i < Propose.MAX_ENTRIES && past.size() < length; i++) {
        past.add(entry(at, past.size() + 1));
        at = past.get(past.size() - 1).state();
      }
      List<Message> answers = propose(time, at, past.subList(first, past.size()));
      assertThat(answers.get(0)).isInstanceOf(Accepted.class);
    }
    return past;
  }

  private static StateId last(List<Entry> entries) {
    return entries.get(entries.size() - 1).state();
  }

  @Test
  void isNotGoneThroughForEachRead() {
    start(1L << 30);
    proposePast(1, StateId.genesis(OBJECT), LENGTH);
    for (int i = 0; i < MESSAGES; i++) {
      Get read =
          new Get(
              OBJECT,
              i,
              Rank.NONE,
              Optional.empty(),
              Optional.of(StateId.genesis(OBJECT)),
              /* courteous= */ false);
      assertThat(((Report) hear(read).get(0)).entries()).isEmpty();
    }
  }

  @Test
  void isNotReadAgainForEachRepetitionOfAProposal() {
    start(1L << 30);
    StateId newest = last(proposePast(1, StateId.genesis(OBJECT), Propose.MAX_ENTRIES));
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(propose(2 + i / 2, newest, List.of()).get(0)).isInstanceOf(Accepted.class);
    }
  }

  @Test
  void isNotGoneBackOnForEachCommitThatLeadsElsewhere() {
    start(1L << 30);
    Entry other = entry(StateId.genesis(OBJECT), 1_000_000);
    assertThat(propose(1, other.state(), List.of(other))).hasSize(1);
    assertThat(hear(new Commit(OBJECT, said(1, other.state()), Optional.empty()))).hasSize(1);
    StateId elsewhere = last(proposePast(2, StateId.genesis(OBJECT), LENGTH));
    for (int i = 0; i < MESSAGES; i++) {
      var unused = hear(new Commit(OBJECT, said(2, elsewhere), Optional.empty()));
    }
    assertThat(server.committed(OBJECT).orElseThrow().state()).isEqualTo(other.state());
  }

  @Test
  void isSentOnlyAsOftenAsItsLengthAllows() {
    start(1L << 30);
    StateId newest = last(proposePast(1, StateId.genesis(OBJECT), LENGTH));
    Fetch all = new Fetch(OBJECT, StateId.genesis(OBJECT), newest);
    long told = 0;
    for (int i = 0; i < MESSAGES; i++) {
      told += hear(all).stream().anyMatch(Bodies.class::isInstance) ? 1 : 0;
    }
    assertThat(told).isBetween(1L, 10L);
  }

  @Test
  void isNotTidiedForEachEntryThatFindsNoRoom() {
    start(LENGTH * 2L * (Entry.ROW_BYTES + 64));
    StateId newest = last(proposePast(1, StateId.genesis(OBJECT), LENGTH / 2));
    StateId at = newest;
    long sequence = 1_000_000;
    while (true) {
      Entry next = entry(at, ++sequence);
      if (propose(1, next.state(), List.of(next)).get(0) instanceof Busy) {
        break;
      }
      at = next.state();
    }
    for (int i = 0; i < MESSAGES; i++) {
      Entry branch = entry(newest, ++sequence);
      assertThat(propose(2, branch.state(), List.of(branch))).isNotEmpty();
    }
  }

  @Test
  void isNotLookedThroughForEachSnapshot() {
    start(1L << 30);
    List<Entry> past = proposePast(1, StateId.genesis(OBJECT), LENGTH);
    int installed = 0;
    for (int i = 0; i < LENGTH; i++) {
      LogSnapshot snapshot =
          new LogSnapshot(said(1, past.get(i).state()), SnapshotBody.of(Bytes.EMPTY).toBytes());
      var unused = hear(new InstallSnapshot(OBJECT, snapshot));
      installed +=
          server.committed(OBJECT).orElseThrow().state().equals(past.get(i).state()) ? 1 : 0;
    }
    assertThat(installed).isBetween(1, 10);
  }

  @Test
  void leavesRoomToOthersWhereAnswersAreManyEmptyOperations() {
    start(1L << 30);
    for (int i = 1; i <= PendingOperations.MAX_PENDING / 2; i++) {
      SubmittedOperation empty =
          new SubmittedOperation(
              new OpId(OpId.sessionOf(MALLORY), i), 0, Bytes.EMPTY, Optional.empty());
      var unused = hear(new Submit(OBJECT, empty));
    }
    Get ballot =
        new Get(
            OBJECT, 1, new Rank(1, 7), Optional.empty(), Optional.empty(), /* courteous= */ false);
    long told = 0;
    for (int i = 0; i < MESSAGES; i++) {
      told += ((Report) hear(ballot).get(0)).pending().size();
    }
    assertThat(told * Entry.ROW_BYTES).isLessThan(2L * ServerMemory.ANSWER_BYTES);
  }
}
