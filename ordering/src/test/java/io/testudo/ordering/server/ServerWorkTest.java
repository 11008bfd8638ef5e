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
import io.testudo.ordering.message.AskMemory;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.Fetch;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.ListObjects;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Submit;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.RandomMessages;
import io.testudo.rules.Allocations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A server that keeps as much as one principal can make it keep hears anything from it, while time
 * stands still. Whatever it hears, the work for it is little, or is charged to who asks and so is
 * soon at an end. That is shown of kinds of messages as listed here, one after the other, and of
 * others that are drawn by chance. Of these few are said at a time, again and again: among many
 * there would always be a commit or a snapshot, and what it leaves of the past is short.
 */
class ServerWorkTest {
  private static final String OBJECT = "mine/it";
  private static final ClientId MALLORY = new ClientId("mallory", 7, 1);
  private static final Moment NOW = new Moment(1, 1_000);
  private static final int LENGTH = 3 * Propose.MAX_ENTRIES;
  private static final int MESSAGES = 20_000;
  private static final int ROUNDS = 60;

  /** So many messages use up whatever is charged, and of as many more the work is measured. */
  private static final int MESSAGES_A_ROUND = 3_000;

  /** Some messages have long fields, and answers have lists. */
  private static final long BYTES_EACH = 32 << 10;

  /** All that is charged, several times over: it is copied on its way out. */
  private static final long BYTES_IN_ALL = 8L * ServerMemory.ANSWER_BYTES;

  private OrderingServer server = new OrderingServer(Mode.SEALED_STATEMENTS);

  /** What the server holds: the beginning, a branch of one entry, and a long one. */
  private final List<StateId> states = new ArrayList<>();

  private void hear(Message message) {
    if (server.handles(message)) {
      var unused = server.step(new Input.Received<>(MALLORY, message), NOW);
    }
  }

  private static Statement said(long time, StateId state) {
    return new Statement(new Rank(time, 7), state, Optional.empty());
  }

  private static Entry entry(StateId before, long sequence) {
    EntryBody.Done done = new EntryBody.Done(1, sequence, 0, Bytes.EMPTY, Bytes.EMPTY);
    return new Entry(before.version() + 1, before.link(), EntryBody.of(done).toBytes());
  }

  private static SubmittedOperation operation(long sequence) {
    return new SubmittedOperation(
        new OpId(OpId.sessionOf(MALLORY), sequence), 0, Bytes.EMPTY, Optional.empty());
  }

  private void fill() {
    server = new OrderingServer(Mode.SEALED_STATEMENTS);
    var unused = server.step(new Input.Started<>(List.of()), NOW);
    StateId genesis = StateId.genesis(OBJECT);
    Entry branch = entry(genesis, 1_000_000);
    states.clear();
    states.addAll(List.of(genesis, branch.state()));
    hear(propose(1, branch.state(), List.of(branch)));
    StateId at = genesis;
    for (int length = 0; length < LENGTH; length += Propose.MAX_ENTRIES) {
      List<Entry> more = new ArrayList<>();
      for (int i = 1; i <= Propose.MAX_ENTRIES; i++) {
        more.add(entry(at, length + i));
        at = more.get(more.size() - 1).state();
        states.add(at);
      }
      hear(propose(1, at, more));
    }
    for (int i = 1; i <= PendingOperations.MAX_PENDING / 2; i++) {
      hear(new Submit(OBJECT, operation(1_000_000 + i)));
    }
    for (int i = 0; i < 5_000; i++) {
      hear(get(new Rank(1, 7), "mine/" + i, Optional.empty()));
    }
  }

  private StateId newest() {
    return states.get(states.size() - 1);
  }

  /** Messages that get past the checks of a server that was filled. */
  private List<Message> listed() {
    StateId genesis = states.get(0);
    StateId early = states.get(2);
    StateId newest = newest();
    return List.of(
        get(Rank.NONE, OBJECT, Optional.of(genesis)),
        get(new Rank(1, 7), OBJECT, Optional.of(genesis)),
        get(Rank.NONE, OBJECT, Optional.of(states.get(states.size() - Propose.MAX_ENTRIES))),
        get(Rank.NONE, OBJECT, Optional.of(unheld(states.size() - Propose.MAX_ENTRIES))),
        propose(1, newest, List.of()),
        propose(1, newest, List.of(entry(newest, 2_000_000))),
        new Commit(OBJECT, said(1, newest), Optional.empty()),
        new Commit(OBJECT, said(1, early), Optional.empty()),
        new Fetch(OBJECT, genesis, newest),
        snapshot(1, early),
        new Submit(OBJECT, operation(1_000_001)),
        new EndTenure(OBJECT, new Rank(1, 7)),
        new ListObjects(1, "mine/", ""),
        new AskMemory(1, List.of(), ""));
  }

  /** A message of any kind that speaks of states, ranks and operations that there are. */
  private Message drawn(Entropy entropy) {
    long time = 1L + entropy.nextInt(3);
    StateId state = drawnState(entropy);
    Entry next = entry(state, 2_000_000 + entropy.nextInt(1_000));
    return switch (entropy.nextInt(11)) {
      case 0 -> get(Rank.NONE, OBJECT, Optional.of(state));
      case 1 -> get(new Rank(time, 7), OBJECT, Optional.of(state));
      case 2 -> propose(time, state, List.of());
      case 3 -> propose(time, next.state(), List.of(next));
      case 4 -> new Commit(OBJECT, said(time, state), Optional.empty());
      case 5 -> new Fetch(OBJECT, state, drawnState(entropy));
      case 6 -> snapshot(time, state);
      case 7 -> new Submit(OBJECT, operation(1_000_000 + entropy.nextInt(10_000)));
      case 8 -> new EndTenure(OBJECT, new Rank(time, 7));
      case 9 -> new ListObjects(1, "mine/", "mine/" + entropy.nextInt(5_000));
      default -> new AskMemory(1, List.of(), "");
    };
  }

  /** Often one of the ends: the ways between them are the longest. */
  private StateId drawnState(Entropy entropy) {
    int any = entropy.nextInt(states.size());
    return switch (entropy.nextInt(5)) {
      case 0 -> states.get(0);
      case 1 -> states.get(1);
      case 2 -> newest();
      case 3 -> unheld(any);
      default -> states.get(any);
    };
  }

  /** One that is not held, of the same version as one that is. */
  private StateId unheld(int index) {
    return new StateId(states.get(index).version(), states.get(0).link());
  }

  private static InstallSnapshot snapshot(long time, StateId state) {
    return new InstallSnapshot(
        OBJECT, new LogSnapshot(said(time, state), SnapshotBody.of(Bytes.EMPTY).toBytes()));
  }

  private static Propose propose(long time, StateId state, List<Entry> entries) {
    return new Propose(OBJECT, said(time, state), Optional.empty(), entries, Optional.empty());
  }

  private static Get get(Rank rank, String object, Optional<StateId> known) {
    return new Get(object, 1, rank, Optional.empty(), known, /* courteous= */ false);
  }

  /** Looked at all along: what is not bounded would take very long. */
  private static void assertLittle(long bytes, Message last) {
    if (bytes > MESSAGES * BYTES_EACH + BYTES_IN_ALL) {
      throw new AssertionError("too much work, at last for " + last);
    }
  }

  @Test
  void isBoundedHoweverOftenOneThingIsSaid() {
    fill();
    for (Message message : listed()) {
      fill();
      long bytes = 0;
      for (int i = 0; i < MESSAGES; i++) {
        bytes += Allocations.by(() -> hear(message));
        assertLittle(bytes, message);
      }
    }
  }

  @Test
  void isBoundedWhateverIsSaid() {
    Entropy entropy = Entropy.seeded(6);
    for (int round = 0; round < ROUNDS; round++) {
      fill();
      if (round % 2 == 0) { // From there no way leads to the long branch.
        hear(new Commit(OBJECT, said(1, states.get(1)), Optional.empty()));
      }
      RandomMessages variants = new RandomMessages(OrderingTypes.ALL, entropy);
      List<Message> some = List.of(drawn(entropy), drawn(entropy));
      some.forEach(variants::saw);
      long bytes = 0;
      for (int i = 1; i <= 2 * MESSAGES_A_ROUND; i++) {
        // Most of them just as they are: what is changed often is not heeded.
        Message message = i % 8 == 0 ? variants.next() : some.get(entropy.nextInt(some.size()));
        long more = Allocations.by(() -> hear(message));
        bytes += i <= MESSAGES_A_ROUND ? 0 : more;
      }
      assertThat(bytes).as("for %s", some).isLessThan(MESSAGES_A_ROUND * BYTES_EACH);
    }
  }
}
