package io.testudo.ordering.server;

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
 * soon at an end. One kind of message after the other, as listed here, shows what is not bounded;
 * the mixture of them with others is weaker, since an early commit makes later ways short.
 */
class ServerWorkTest {
  private static final String OBJECT = "mine/it";
  private static final ClientId MALLORY = new ClientId("mallory", 7, 1);
  private static final Moment NOW = new Moment(1, 1_000);
  private static final int LENGTH = 3 * Propose.MAX_ENTRIES;
  private static final int MESSAGES = 20_000;

  /** Some messages have long fields, and answers have lists. */
  private static final long BYTES_EACH = 32 << 10;

  /** All that is charged, several times over: it is copied on its way out. */
  private static final long BYTES_IN_ALL = 8L * ServerMemory.ANSWER_BYTES;

  private OrderingServer server = new OrderingServer(Mode.SEALED_STATEMENTS);

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

  /** Fills the server, and tells messages that get past its checks. */
  private List<Message> fill() {
    var unused = server.step(new Input.Started<>(List.of()), NOW);
    List<Entry> past = new ArrayList<>();
    StateId at = StateId.genesis(OBJECT);
    while (past.size() < LENGTH) {
      int first = past.size();
      for (int i = 0; i < Propose.MAX_ENTRIES; i++) {
        past.add(entry(at, past.size() + 1));
        at = past.get(past.size() - 1).state();
      }
      hear(propose(at, past.subList(first, past.size())));
    }
    for (int i = 1; i <= PendingOperations.MAX_PENDING / 2; i++) {
      hear(new Submit(OBJECT, operation(1_000_000 + i)));
    }
    for (int i = 0; i < 5_000; i++) {
      hear(get(new Rank(1, 7), "mine/" + i, Optional.empty()));
    }
    StateId genesis = StateId.genesis(OBJECT);
    StateId early = past.get(0).state();
    return List.of(
        get(Rank.NONE, OBJECT, Optional.of(genesis)),
        get(new Rank(1, 7), OBJECT, Optional.of(genesis)),
        propose(at, List.of()),
        propose(at, List.of(entry(at, 2_000_000))),
        new Commit(OBJECT, said(1, at), Optional.empty()),
        new Commit(OBJECT, said(1, early), Optional.empty()),
        new Fetch(OBJECT, genesis, at),
        new InstallSnapshot(
            OBJECT, new LogSnapshot(said(1, early), SnapshotBody.of(Bytes.EMPTY).toBytes())),
        new Submit(OBJECT, operation(1_000_001)),
        new EndTenure(OBJECT, new Rank(1, 7)),
        new ListObjects(1, "mine/", ""),
        new AskMemory(1, List.of(), ""));
  }

  private static Propose propose(StateId state, List<Entry> entries) {
    return new Propose(OBJECT, said(1, state), Optional.empty(), entries, Optional.empty());
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
    int kinds = fill().size();
    for (int kind = 0; kind < kinds; kind++) {
      server = new OrderingServer(Mode.SEALED_STATEMENTS);
      Message message = fill().get(kind);
      long bytes = 0;
      for (int i = 0; i < MESSAGES; i++) {
        bytes += Allocations.by(() -> hear(message));
        assertLittle(bytes, message);
      }
    }
  }

  @Test
  void isBoundedWhateverIsSaid() {
    List<Message> like = fill();
    RandomMessages messages = new RandomMessages(OrderingTypes.ALL, Entropy.seeded(5));
    like.forEach(messages::saw);
    Entropy entropy = Entropy.seeded(6);
    long bytes = 0;
    for (int i = 0; i < MESSAGES; i++) {
      // Half of them just as they are: what is changed often is not heeded.
      Message message = i % 2 == 0 ? like.get(entropy.nextInt(like.size())) : messages.next();
      bytes += Allocations.by(() -> hear(message));
      assertLittle(bytes, message);
    }
  }
}
