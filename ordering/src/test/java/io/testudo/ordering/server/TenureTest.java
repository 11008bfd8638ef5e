package io.testudo.ordering.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.message.Unattended;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who orders an object, as one server sees it, and what it passes on to those who wait. */
class TenureTest {
  private static final String OBJECT = "account";
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);
  private static final ClientId CAROL = new ClientId("carol", 9, 1);
  private static final OpId OF_BOB = new OpId(OpId.sessionOf(BOB), 1);

  private final OrderingServer server = new OrderingServer(Mode.SEALED_STATEMENTS);
  private final List<Effect<ClientId>> effects = new ArrayList<>();
  private long nowMillis = 1;

  @BeforeEach
  void start() {
    step(new Input.Started<>(List.of()));
  }

  private void step(Input<ClientId> input) {
    effects.clear();
    effects.addAll(server.step(input, new Moment(nowMillis * 1_000_000, nowMillis)));
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

  private static Rank rank(long time, ClientId client) {
    return new Rank(time, OpId.sessionOf(client));
  }

  private void asks(ClientId client, Rank rank, Optional<Rank> displaced) {
    hear(
        client,
        new Get(OBJECT, 5, rank, Optional.empty(), Optional.empty(), true, List.of(), displaced));
  }

  private void asks(ClientId client, Rank rank) {
    asks(client, rank, Optional.empty());
  }

  private static Entry entry(OpId... ids) {
    return entry(StateId.genesis(OBJECT), ids);
  }

  private static Entry entry(StateId before, OpId... ids) {
    List<EntryBody.Done> done = new ArrayList<>();
    for (OpId id : ids) {
      done.add(new EntryBody.Done(id.session(), id.sequence(), 0, Bytes.utf8("r"), Bytes.EMPTY));
    }
    Bytes body = new EntryBody(ImmutableList.copyOf(done), Optional.empty()).toBytes();
    return new Entry(before.version() + 1, before.link(), body);
  }

  private static Statement said(Rank rank, Entry entry) {
    return new Statement(rank, entry.state(), Optional.empty());
  }

  private void proposes(ClientId client, Rank rank, Entry entry) {
    Statement statement = said(rank, entry);
    hear(
        client, new Propose(OBJECT, statement, Optional.empty(), List.of(entry), Optional.empty()));
  }

  private void submits(ClientId client) {
    OpId id = new OpId(OpId.sessionOf(client), 1);
    hear(
        client,
        new Submit(OBJECT, new SubmittedOperation(id, 0, Bytes.utf8("x"), Optional.empty())));
  }

  private void ringRelay() {
    TimerKey timer =
        effects.stream()
            .filter(Effect.SetTimer.class::isInstance)
            .map(effect -> ((Effect.SetTimer<ClientId>) effect).key())
            .findFirst()
            .orElseThrow();
    step(new Input.TimerFired<>(timer));
  }

  @Test
  void ofThoseWhoOnlyAskTheHighestRankGoesOnAndTheOtherIsToldAtOnce() {
    asks(ALICE, rank(5, ALICE));
    asks(BOB, rank(6, BOB));
    assertThat(sentTo(BOB)).singleElement().isInstanceOf(Report.class);
    assertThat(sentTo(ALICE))
        .containsExactly(new Superseded(OBJECT, rank(5, ALICE), rank(6, BOB), Optional.empty()));
    asks(CAROL, rank(4, CAROL));
    assertThat(sentTo(CAROL)).singleElement().isInstanceOf(Superseded.class);
  }

  /** As after a restart: else each of its operations would wait until it submits it again. */
  @Test
  void whoSubmitsWhatIsDoneIsToldOfItsNextOperation() {
    Entry first = entry(StateId.genesis(OBJECT), OF_BOB);
    proposes(ALICE, rank(5, ALICE), first);
    assertThat(sentTo(BOB)).as("nobody knows where to reach it").isEmpty();
    hear(ALICE, new Commit(OBJECT, said(rank(5, ALICE), first), Optional.empty()));
    submits(BOB);
    assertThat(sentTo(BOB)).singleElement().isInstanceOf(Answered.class);
    proposes(ALICE, rank(5, ALICE), entry(first.state(), new OpId(OF_BOB.session(), 2)));
    assertThat(sentTo(BOB)).singleElement().isInstanceOf(Included.class);
  }

  /** Else nobody would get further while others come one after the other. */
  @Test
  void whoAsksIsNotPutOffByThoseWhoComeLongAfterIt() {
    long quarter = RankClock.ofMillis(64);
    asks(ALICE, rank(quarter, ALICE));
    asks(BOB, rank(3 * quarter, BOB));
    assertThat(sentTo(BOB)).singleElement().isInstanceOf(Report.class);
    asks(CAROL, rank(6 * quarter, CAROL));
    assertThat(sentTo(CAROL))
        .containsExactly(new Busy(OBJECT, rank(6 * quarter, CAROL), rank(3 * quarter, BOB)));
    assertThat(sentTo(BOB)).isEmpty();
    // Unless it waited for that one before, or that one has made way.
    asks(CAROL, rank(7 * quarter, CAROL), Optional.of(rank(3 * quarter, BOB)));
    assertThat(sentTo(CAROL)).singleElement().isInstanceOf(Report.class);
    hear(CAROL, new EndTenure(OBJECT, rank(7 * quarter, CAROL)));
    asks(ALICE, rank(20 * quarter, ALICE));
    assertThat(sentTo(ALICE)).singleElement().isInstanceOf(Report.class);
  }

  @Test
  void makesOthersWaitForWhoOrdersUnlessTheyHaveWaitedForThatOne() {
    asks(ALICE, rank(5, ALICE));
    proposes(ALICE, rank(5, ALICE), entry());
    asks(BOB, rank(6, BOB));
    assertThat(sentTo(BOB)).containsExactly(new Busy(OBJECT, rank(6, BOB), rank(5, ALICE)));
    asks(BOB, rank(7, BOB), Optional.of(rank(4, CAROL)));
    assertThat(sentTo(BOB)).singleElement().isInstanceOf(Busy.class);
    asks(BOB, rank(8, BOB), Optional.of(rank(5, ALICE)));
    assertThat(sentTo(BOB)).singleElement().isInstanceOf(Report.class);
    assertThat(sentTo(ALICE)).singleElement().isInstanceOf(Superseded.class);
  }

  @Test
  void waitsForNobodyWhoWasSilentForLong() {
    asks(ALICE, rank(5, ALICE));
    proposes(ALICE, rank(5, ALICE), entry());
    nowMillis += OrderingServer.COURTESY_NANOS / 1_000_000;
    asks(BOB, rank(6, BOB));
    assertThat(sentTo(BOB)).singleElement().isInstanceOf(Report.class);
  }

  @Test
  void passesOperationsOnToWhoOrders() {
    asks(ALICE, rank(5, ALICE));
    submits(BOB);
    ringRelay();
    assertThat(sentTo(ALICE))
        .singleElement()
        .isInstanceOfSatisfying(
            Relayed.class,
            relayed -> {
              assertThat(relayed.rank()).isEqualTo(rank(5, ALICE));
              assertThat(relayed.operations())
                  .extracting(SubmittedOperation::id)
                  .containsExactly(OF_BOB);
            });
  }

  @Test
  void tellsASubmitterWhatIsAcceptedAndNotAgainWhatIsCommitted() {
    submits(BOB);
    asks(ALICE, rank(5, ALICE));
    Entry entry = entry(OF_BOB, new OpId(rank(5, ALICE).session(), 1));
    proposes(ALICE, rank(5, ALICE), entry);
    Included included =
        new Included(OBJECT, OF_BOB, rank(5, ALICE), entry.state(), Bytes.utf8("r"));
    assertThat(sentTo(BOB)).containsExactly(included);
    assertThat(sentTo(ALICE)).noneMatch(Included.class::isInstance); // It knows.
    proposes(ALICE, rank(5, ALICE), entry);
    assertThat(sentTo(BOB)).containsExactly(included); // The first may have been lost.
    Statement commit = new Statement(rank(5, ALICE), entry.state(), Optional.empty());
    hear(ALICE, new Commit(OBJECT, commit, Optional.empty()));
    assertThat(sentTo(BOB)).isEmpty();
    submits(BOB);
    assertThat(sentTo(BOB)).singleElement().isInstanceOf(Answered.class);
  }

  @Test
  void tellsNobodyWhatBelongsToTheSessionOfAnother() {
    asks(CAROL, rank(4, BOB)); // It names a session that is not its own.
    asks(ALICE, rank(5, ALICE));
    proposes(ALICE, rank(5, ALICE), entry(OF_BOB));
    assertThat(sentTo(CAROL)).noneMatch(Included.class::isInstance);
  }

  @Test
  void callsThoseWhoWaitWhenTheHolderGivesUpAndNobodyElse() {
    asks(ALICE, rank(5, ALICE));
    proposes(ALICE, rank(5, ALICE), entry());
    submits(BOB);
    hear(CAROL, new EndTenure(OBJECT, rank(5, ALICE)));
    hear(ALICE, new EndTenure(OBJECT, rank(4, ALICE)));
    asks(CAROL, rank(6, CAROL));
    assertThat(sentTo(CAROL)).singleElement().isInstanceOf(Busy.class);
    hear(ALICE, new EndTenure(OBJECT, rank(5, ALICE)));
    assertThat(sentTo(BOB)).containsExactly(new Unattended(OBJECT));
    asks(CAROL, rank(6, CAROL));
    assertThat(sentTo(CAROL)).singleElement().isInstanceOf(Report.class);
  }

  /** Tenure is about time only: what was promised stays promised. */
  @Test
  void keepsItsRankWhenATenureEndsOrIsContested() {
    asks(ALICE, rank(5, ALICE));
    proposes(ALICE, rank(5, ALICE), entry());
    asks(BOB, rank(4, BOB), Optional.of(rank(5, ALICE))); // It has waited for Alice in vain.
    Superseded refusal = new Superseded(OBJECT, rank(4, BOB), rank(5, ALICE), Optional.empty());
    assertThat(sentTo(BOB)).containsExactly(refusal);
    hear(ALICE, new EndTenure(OBJECT, rank(5, ALICE)));
    asks(BOB, rank(4, BOB));
    assertThat(sentTo(BOB)).containsExactly(refusal);
  }
}
