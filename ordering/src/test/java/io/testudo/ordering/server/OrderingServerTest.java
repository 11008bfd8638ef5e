package io.testudo.ordering.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedSet;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.EntryKept;
import io.testudo.ordering.log.MakerKept;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.ProposalKept;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.RankKept;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.AskMemory;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.Enrolled;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.ListObjects;
import io.testudo.ordering.message.Missing;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Restore;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.message.Unattended;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrderingServerTest {
  private static final String OBJECT = "account";
  private static final StateId GENESIS = StateId.genesis(OBJECT);
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);
  private static final Moment NOW = new Moment(0, 0);

  private OrderingServer server = new OrderingServer(Mode.SEALED_RANKS);
  private final List<Effect<ClientId>> effects = new ArrayList<>();

  private void start(StateRecord... records) {
    step(new Input.Started<>(List.of(records)));
  }

  private void step(Input<ClientId> input) {
    effects.clear();
    effects.addAll(server.step(input, NOW));
  }

  private void hear(ClientId from, Message message) {
    step(new Input.Received<>(from, message));
  }

  private List<Message> sentTo(ClientId to) {
    List<Message> sent = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Send<ClientId> send && send.to().equals(to)) {
        sent.add(send.message());
      }
    }
    return sent;
  }

  private List<StateRecord> persisted() {
    List<StateRecord> records = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Persist<ClientId> persist) {
        records.add(persist.record());
      }
    }
    return records;
  }

  private static Rank rank(long time) {
    return new Rank(time, 7);
  }

  /** Says nothing of a type. */
  private static final Bytes CHANGED = Bytes.wrap(new byte[] {-1});

  private static Entry entry(StateId parent, long session, long sequence, String result) {
    Bytes body =
        EntryBody.of(new EntryBody.Done(session, sequence, 0, Bytes.utf8(result), CHANGED))
            .toBytes();
    return new Entry(parent.version() + 1, parent.link(), body);
  }

  private void get(ClientId from, Rank rank) {
    hear(from, new Get(OBJECT, 5, rank, Optional.empty(), Optional.empty(), false));
  }

  private void propose(ClientId from, Rank rank, StateId state, Entry... entries) {
    hear(
        from,
        new Propose(
            OBJECT,
            new Statement(rank, state, Optional.empty()),
            Optional.empty(),
            List.of(entries),
            Optional.empty()));
  }

  private void commit(ClientId from, Rank rank, StateId state) {
    hear(from, new Commit(OBJECT, new Statement(rank, state, Optional.empty()), Optional.empty()));
  }

  private static Accepted accepted(Rank rank, StateId state, Accepted.Stage stage) {
    return new Accepted(OBJECT, rank, state.version(), stage, List.of());
  }

  private static Superseded refused(Rank asked, Rank by) {
    return new Superseded(OBJECT, asked, by, Optional.empty());
  }

  @Test
  void refusesAllBelowTheHighestRankThatItHeardOf() {
    start();
    get(ALICE, rank(5));
    assertThat(persisted())
        .containsExactly(
            new MakerKept(OBJECT, ALICE.principal()),
            new RankKept(OBJECT, rank(5), Optional.empty()));
    Entry entry = entry(GENESIS, 7, 1, "r");
    get(BOB, rank(4));
    assertThat(sentTo(BOB)).containsExactly(refused(rank(4), rank(5)));
    propose(BOB, rank(4), entry.state(), entry);
    assertThat(sentTo(BOB)).containsExactly(refused(rank(4), rank(5)));
    assertThat(server.proposed(OBJECT)).isEmpty();
  }

  @Test
  void asksNothingOfOneWhoOnlyReads() {
    start();
    get(ALICE, rank(5));
    get(BOB, Rank.NONE);
    assertThat(sentTo(BOB))
        .containsExactly(
            new Report(OBJECT, 5, Optional.empty(), Optional.empty(), List.of(), List.of()));
    assertThat(server.rank(OBJECT)).isEqualTo(rank(5));
  }

  @Test
  void storesAProposalWithWhatLeadsToItBeforeItAccepts() {
    start();
    Entry entry = entry(GENESIS, 7, 1, "r");
    propose(ALICE, rank(5), entry.state(), entry);
    assertThat(persisted())
        .containsExactly(
            new MakerKept(OBJECT, ALICE.principal()),
            new RankKept(OBJECT, rank(5), Optional.empty()),
            new EntryKept(OBJECT, entry),
            new ProposalKept(OBJECT, new Statement(rank(5), entry.state(), Optional.empty())));
    assertThat(sentTo(ALICE))
        .containsExactly(accepted(rank(5), entry.state(), Accepted.Stage.PROPOSED));
  }

  @Test
  void saysWhatItLacks() {
    start();
    Entry first = entry(GENESIS, 7, 1, "r");
    Entry second = entry(first.state(), 7, 2, "s");
    propose(ALICE, rank(5), second.state(), second);
    assertThat(sentTo(ALICE))
        .containsExactly(new Missing(OBJECT, rank(5), second.state(), GENESIS));
    propose(ALICE, rank(5), second.state(), first, second);
    assertThat(sentTo(ALICE))
        .containsExactly(accepted(rank(5), second.state(), Accepted.Stage.PROPOSED));
  }

  @Test
  void letsNoOlderProposalTakeThePlaceOfANewerOne() {
    start();
    Entry first = entry(GENESIS, 7, 1, "r");
    Entry second = entry(first.state(), 7, 2, "s");
    propose(ALICE, rank(5), second.state(), first, second);
    propose(ALICE, rank(5), first.state(), first);
    assertThat(sentTo(ALICE)).isEmpty();
    assertThat(server.proposed(OBJECT).orElseThrow().state()).isEqualTo(second.state());
    // A higher rank may go back to a lower version.
    propose(BOB, rank(6), first.state(), first);
    assertThat(server.proposed(OBJECT).orElseThrow().state()).isEqualTo(first.state());
  }

  @Test
  void tellsOfTwoStatesForOneRankAndVersion() {
    start();
    Entry one = entry(GENESIS, 7, 1, "r");
    Entry other = entry(GENESIS, 7, 1, "s");
    propose(ALICE, rank(5), one.state(), one);
    propose(ALICE, rank(5), other.state(), other);
    assertThat(effects).contains(new Effect.Tell<>(new Forked(OBJECT, one.state(), other.state())));
    assertThat(server.proposed(OBJECT).orElseThrow().state()).isEqualTo(one.state());
  }

  @Test
  void checksTheRankOfACommitUnlessCommitsAreSealed() {
    start();
    Entry entry = entry(GENESIS, 7, 1, "r");
    propose(ALICE, rank(5), entry.state(), entry);
    get(BOB, rank(6));
    commit(ALICE, rank(5), entry.state());
    assertThat(sentTo(ALICE)).containsExactly(refused(rank(5), rank(6)));
    assertThat(server.committed(OBJECT)).isEmpty();

    server = new OrderingServer(Mode.SEALED_STATEMENTS);
    start();
    propose(ALICE, rank(5), entry.state(), entry);
    get(BOB, rank(6));
    commit(ALICE, rank(5), entry.state());
    assertThat(sentTo(ALICE))
        .containsExactly(accepted(rank(5), entry.state(), Accepted.Stage.COMMITTED));
  }

  @Test
  void answersASubmitterWhenACommitContainsItsOperation() {
    start();
    SubmittedOperation operation =
        new SubmittedOperation(
            new OpId(OpId.sessionOf(BOB), 1), 0, Bytes.utf8("+1"), Optional.empty());
    hear(BOB, new Submit(OBJECT, operation));
    assertThat(sentTo(BOB)).containsExactly(new Unattended(OBJECT));
    get(ALICE, rank(5));
    assertThat(sentTo(ALICE))
        .singleElement()
        .isInstanceOfSatisfying(
            Report.class, report -> assertThat(report.pending()).containsExactly(operation));
    Entry entry = entry(GENESIS, OpId.sessionOf(BOB), 1, "one");
    propose(ALICE, rank(5), entry.state(), entry);
    assertThat(sentTo(BOB)).isEmpty();
    commit(ALICE, rank(5), entry.state());
    Answered answer = new Answered(OBJECT, operation.id(), 1, Optional.of(Bytes.utf8("one")));
    assertThat(sentTo(BOB)).containsExactly(answer);
    hear(BOB, new Submit(OBJECT, operation));
    assertThat(sentTo(BOB)).containsExactly(answer);
  }

  @Test
  void keepsACourteousBallotFromDisturbingOneThatIsAtWork() {
    start();
    get(ALICE, rank(5));
    hear(BOB, new Get(OBJECT, 5, rank(6), Optional.empty(), Optional.empty(), true));
    assertThat(sentTo(BOB)).containsExactly(new Busy(OBJECT, rank(6), rank(5)));
    assertThat(server.rank(OBJECT)).isEqualTo(rank(5));
    hear(ALICE, new EndTenure(OBJECT, rank(5)));
    hear(BOB, new Get(OBJECT, 5, rank(6), Optional.empty(), Optional.empty(), true));
    assertThat(sentTo(BOB)).singleElement().isInstanceOf(Report.class);
    assertThat(server.rank(OBJECT)).isEqualTo(rank(6));
  }

  @Test
  void tellsABallotOfEachPendingOperationOnceUnlessItIsSubmittedAgain() {
    start();
    get(ALICE, rank(5));
    SubmittedOperation operation =
        new SubmittedOperation(
            new OpId(OpId.sessionOf(BOB), 1), 0, Bytes.utf8("+1"), Optional.empty());
    hear(BOB, new Submit(OBJECT, operation));
    Entry first = entry(GENESIS, 7, 1, "r");
    Accepted plain = accepted(rank(5), first.state(), Accepted.Stage.PROPOSED);
    Accepted withNews =
        new Accepted(OBJECT, rank(5), 1, Accepted.Stage.PROPOSED, List.of(operation));
    propose(ALICE, rank(5), first.state(), first);
    assertThat(sentTo(ALICE)).containsExactly(withNews);
    propose(ALICE, rank(5), first.state(), first);
    assertThat(sentTo(ALICE)).containsExactly(plain);
    hear(BOB, new Submit(OBJECT, operation));
    propose(ALICE, rank(5), first.state(), first);
    assertThat(sentTo(ALICE)).containsExactly(withNews);
  }

  @Test
  void takesOperationsOnlyFromTheirOwnSession() {
    start();
    SubmittedOperation operation =
        new SubmittedOperation(
            new OpId(OpId.sessionOf(BOB), 1), 0, Bytes.utf8("+1"), Optional.empty());
    hear(ALICE, new Submit(OBJECT, operation));
    get(ALICE, rank(5));
    assertThat(sentTo(ALICE))
        .singleElement()
        .isInstanceOfSatisfying(Report.class, report -> assertThat(report.pending()).isEmpty());
  }

  @Test
  void recoversTheSameFromItsSnapshotAsFromItsLog() {
    start();
    Entry first = entry(GENESIS, 7, 1, "r");
    Entry second = entry(first.state(), 7, 2, "s");
    propose(ALICE, rank(5), first.state(), first);
    commit(ALICE, rank(5), first.state());
    propose(ALICE, rank(5), second.state(), second);
    OrderingServer before = server;
    server = new OrderingServer(Mode.SEALED_RANKS);
    start(before.snapshot().toArray(StateRecord[]::new));
    assertThat(server.rank(OBJECT)).isEqualTo(rank(5));
    assertThat(server.proposed(OBJECT)).isEqualTo(before.proposed(OBJECT));
    assertThat(server.committed(OBJECT)).isEqualTo(before.committed(OBJECT));
    assertThat(server.snapshot()).isEqualTo(before.snapshot());
  }

  private void write(String object) {
    StateId genesis = StateId.genesis(object);
    Entry entry = entry(genesis, 7, 1, "r");
    Statement statement = new Statement(rank(1), entry.state(), Optional.empty());
    hear(ALICE, new Propose(object, statement, Optional.empty(), List.of(entry), Optional.empty()));
    hear(ALICE, new Commit(object, statement, Optional.empty()));
  }

  private ObjectList list(String prefix, String after) {
    hear(BOB, new ListObjects(9, prefix, after));
    assertThat(effects).hasSize(1);
    return (ObjectList) sentTo(BOB).get(0);
  }

  @Test
  void listsWrittenObjectsByNameAndPageByPage() {
    start();
    hear(ALICE, new Get("a/asked", 5, Rank.NONE, Optional.empty(), Optional.empty(), false));
    write("b/other");
    for (int i = ObjectList.MAX_OBJECTS; i >= 0; i--) {
      write("a/%03d".formatted(i));
    }
    ObjectList first = list("a/", "");
    assertThat(first.nonce()).isEqualTo(9);
    assertThat(first.more()).isTrue();
    assertThat(first.objects()).hasSize(ObjectList.MAX_OBJECTS);
    long bytes = first.objects().get(0).bytes();
    assertThat(bytes).isPositive();
    assertThat(first.objects().get(0)).isEqualTo(new ObjectList.Item("a/000", 1, 0, bytes, false));
    ObjectList second = list("a/", "a/127");
    ObjectList.Item last = new ObjectList.Item("a/128", 1, 0, bytes, false);
    assertThat(second).isEqualTo(new ObjectList(9, List.of(last), false));
    assertThat(new ListObjects(9, "a/", "").right()).isEqualTo(Right.READ);
  }

  private void told(long epoch, String... names) {
    hear(BOB, new CompleteMemory(1, epoch, List.of(), ImmutableSortedSet.copyOf(names)));
  }

  @Test
  void answersNoReadOfAnObjectThatItMayHaveForgotten() {
    long epoch = 7;
    start(Enrolled.returned(epoch));
    hear(BOB, new Restore("old", new Rank(1, 1), Optional.empty(), epoch, List.of()));
    told(epoch, "old", "older");
    for (String name : List.of("old", "older")) {
      hear(BOB, new Get(name, 1, Rank.NONE, Optional.empty(), Optional.empty(), false));
      assertThat(sentTo(BOB)).isEmpty();
    }
    hear(BOB, new Get("new", 1, Rank.NONE, Optional.empty(), Optional.empty(), false));
    assertThat(sentTo(BOB)).hasSize(1);
  }

  @Test
  void doubtsNothingBecauseOfWhatItIsToldIfItNeverLostItsMemory() {
    start();
    told(MemoryEpoch.FOUNDING, "name");
    hear(BOB, new Get("name", 1, Rank.NONE, Optional.empty(), Optional.empty(), false));
    assertThat(sentTo(BOB)).hasSize(1);
    assertThat(new AskMemory(1, List.of(), "").right()).isEqualTo(Right.ADMINISTER);
    assertThat(new CompleteMemory(1, 2, List.of(), ImmutableSortedSet.of()).right())
        .isEqualTo(Right.ADMINISTER);
  }

  @Test
  void listsNothingWithoutItsMemory() {
    server =
        new OrderingServer(
            Mode.SEALED_RANKS, Enrolment.EXPECTED, OrderingServer.Settings.standard());
    start();
    hear(BOB, new ListObjects(9, "", ""));
    assertThat(effects).isEmpty();
  }

  @Test
  void keepsNoOperationThatIsNumberedFarAheadOfAllClocks() {
    start();
    OpId id = new OpId(OpId.sessionOf(BOB), OpId.MAX_SEQUENCE);
    hear(BOB, new Submit(OBJECT, new SubmittedOperation(id, 0, Bytes.EMPTY, Optional.empty())));
    get(ALICE, rank(5));
    assertThat(((Report) sentTo(ALICE).get(0)).pending()).isEmpty();
  }

  @Test
  void takesNoOperationOfAPrincipalThatClaimsTheSessionOfAnother() {
    start();
    ClientId mallory = new ClientId("mallory", BOB.session(), 1);
    OpId id = new OpId(OpId.sessionOf(BOB), 1);
    hear(mallory, new Submit(OBJECT, new SubmittedOperation(id, 0, Bytes.EMPTY, Optional.empty())));
    get(ALICE, rank(5));
    assertThat(((Report) sentTo(ALICE).get(0)).pending()).isEmpty();
  }
}
