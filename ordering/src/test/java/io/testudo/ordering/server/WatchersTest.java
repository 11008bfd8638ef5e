package io.testudo.ordering.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Changed;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.WatchObject;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
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

/** Who is told of a commit, how often, and for how long. */
class WatchersTest {
  private static final String OBJECT = "account";
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);
  private static final Rank RANK = new Rank(5, 7);

  private final OrderingServer server = new OrderingServer(Mode.SEALED_STATEMENTS);
  private final List<Effect<ClientId>> effects = new ArrayList<>();
  private StateId last = StateId.genesis(OBJECT);
  private long nowNanos;

  @BeforeEach
  void start() {
    step(new Input.Started<>(List.of()));
  }

  private void step(Input<ClientId> input) {
    effects.clear();
    effects.addAll(server.step(input, new Moment(nowNanos, 0)));
  }

  private void hear(ClientId from, Message message) {
    step(new Input.Received<>(from, message));
  }

  private List<Message> toldTo(ClientId to) {
    List<Message> sent = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Send<ClientId> send
          && send.to().equals(to)
          && send.message() instanceof Changed) {
        sent.add(send.message());
      }
    }
    return sent;
  }

  /** One more version, with everything that it takes. */
  private void commitNext() {
    Bytes body =
        EntryBody.of(new EntryBody.Done(7, last.version() + 1, 0, Bytes.utf8("r"), Bytes.EMPTY))
            .toBytes();
    Entry entry = new Entry(last.version() + 1, last.link(), body);
    last = entry.state();
    Statement statement = new Statement(RANK, last, Optional.empty());
    hear(ALICE, new Propose(OBJECT, statement, Optional.empty(), List.of(entry), Optional.empty()));
    assertThat(toldTo(BOB)).as("a proposal is no commit").isEmpty();
    hear(ALICE, new Commit(OBJECT, statement, Optional.empty()));
  }

  @Test
  void tellsOnce() {
    hear(BOB, new WatchObject(OBJECT, 0));
    assertThat(effects).noneMatch(effect -> effect instanceof Effect.Send);
    commitNext();
    assertThat(toldTo(BOB)).containsExactly(new Changed(OBJECT, 1));
    assertThat(toldTo(ALICE)).isEmpty();
    commitNext();
    assertThat(toldTo(BOB)).isEmpty();
  }

  @Test
  void tellsAtOnceWhoIsBehind() {
    commitNext();
    commitNext();
    hear(BOB, new WatchObject(OBJECT, 1));
    assertThat(toldTo(BOB)).containsExactly(new Changed(OBJECT, 2));
    commitNext();
    assertThat(toldTo(BOB)).isEmpty();
  }

  @Test
  void doesNotTellOfWhatIsKnown() {
    hear(BOB, new WatchObject(OBJECT, 1));
    commitNext();
    assertThat(toldTo(BOB)).isEmpty();
    commitNext();
    assertThat(toldTo(BOB)).containsExactly(new Changed(OBJECT, 2));
  }

  @Test
  void forgetsWhoDoesNotAskAgain() {
    hear(BOB, new WatchObject(OBJECT, 0));
    assertThat(server.memoryBytes()).isPositive();
    TimerKey sweep =
        effects.stream()
            .filter(effect -> effect instanceof Effect.SetTimer)
            .map(effect -> ((Effect.SetTimer<ClientId>) effect).key())
            .findFirst()
            .orElseThrow();
    nowNanos += Watchers.EXPIRY_NANOS;
    long before = server.memoryBytes();
    step(new Input.TimerFired<>(sweep));
    assertThat(server.memoryBytes()).isLessThan(before);
    assertThat(effects).isEmpty();
    commitNext();
    assertThat(toldTo(BOB)).isEmpty();
  }

  @Test
  void keepsNoMoreThanItsBounds() {
    for (int session = 0; session < 2 * Watchers.MAX_OF_AN_OBJECT; session++) {
      hear(new ClientId("mallory", session, 1), new WatchObject(OBJECT, 0));
    }
    for (int name = 0; name < 100_000; name++) {
      hear(BOB, new WatchObject("x".repeat(400) + name, 0));
    }
    assertThat(server.memoryBytes()).isLessThan(Watchers.MAX_BYTES * 3 / 4);
    hear(ALICE, new WatchObject("mine", 0));
    long before = server.memoryBytes();
    hear(ALICE, new WatchObject("mine too", 0));
    assertThat(server.memoryBytes()).as("room is left for others").isGreaterThan(before);
  }

  @Test
  void isForThoseWhoMayRead() {
    assertThat(new WatchObject(OBJECT, 0).right()).isEqualTo(Right.READ);
    assertThat(new WatchObject(OBJECT, 0).name()).isEqualTo(OBJECT);
  }
}
