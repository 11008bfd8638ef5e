package io.testudo.ordering.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedSet;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Absent;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Restore;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a server does that lost its memory and was readmitted. */
class ReturnedServerTest {
  private static final Moment NOW = new Moment(1_000, 1_800_000_000_000L);
  private static final ClientId ROGUE = new ClientId("rogue", 1, 1);
  private static final ClientId ORDERER = new ClientId("orderer", 2, 2);
  private static final Rank RANK = new Rank(9, 8);
  private static final Get READ =
      new Get("a", 1, Rank.NONE, Optional.empty(), Optional.empty(), false);

  private final List<StateRecord> journal = new ArrayList<>();
  private OrderingServer server = new OrderingServer(Mode.SEALED_STATEMENTS);

  @BeforeEach
  void start() {
    server = server();
    note(server.step(new Input.Started<>(List.of()), NOW));
  }

  private static OrderingServer server() {
    return new OrderingServer(
        Mode.SEALED_STATEMENTS, Enrolment.RETURNING, OrderingServer.Settings.standard());
  }

  private List<Message> note(List<Effect<ClientId>> effects) {
    List<Message> said = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Persist<ClientId> persist) {
        journal.add(persist.record());
      } else if (effect instanceof Effect.Send<ClientId> send) {
        said.add(send.message());
      }
    }
    return said;
  }

  private List<Message> tell(ClientId from, Message message) {
    return note(server.step(new Input.Received<>(from, message), NOW));
  }

  private void restore(ClientId from, String name) {
    tell(from, new Restore(name, RANK, Optional.empty(), server.epoch(), List.of()));
  }

  private List<Message> begin(String name) {
    return tell(ORDERER, new Get(name, 1, RANK, Optional.empty(), Optional.empty(), false));
  }

  @Test
  void whoRestoresWhatItMadeUpLeavesRoomForOthers() {
    IntStream.range(0, CompleteMemory.MAX_OBJECTS).forEach(i -> restore(ROGUE, "rogue/" + i));
    restore(ORDERER, "a");

    assertThat(begin("a")).singleElement().isInstanceOf(Report.class);
  }

  @Test
  void whatItWasToldOfIsRestoredWhoeverDoesIt() {
    IntStream.range(0, CompleteMemory.MAX_OBJECTS).forEach(i -> restore(ORDERER, "own/" + i));
    restore(ORDERER, "a");
    assertThat(begin("a")).singleElement().isInstanceOf(Absent.class);

    tell(
        ORDERER, new CompleteMemory(1, server.epoch(), List.of(), ImmutableSortedSet.of("a", "b")));
    restore(ORDERER, "a");
    assertThat(begin("a")).singleElement().isInstanceOf(Report.class);
  }

  @Test
  void answersReadersWhenAStateAheadTookThePlaceOfWhatItHadAccepted() {
    restore(ORDERER, "a");
    assertThat(tell(ORDERER, READ)).isEmpty();
    Entry first = new Entry(1, StateId.genesis("a").link(), Bytes.EMPTY);
    Statement proposal = new Statement(RANK, first.state(), Optional.empty());
    tell(ORDERER, new Propose("a", proposal, Optional.empty(), List.of(first), Optional.empty()));
    Entry second = new Entry(2, first.state().link(), Bytes.EMPTY);
    Statement commit = new Statement(RANK, second.state(), Optional.empty());
    tell(ORDERER, new InstallSnapshot("a", new LogSnapshot(commit, Bytes.EMPTY)));

    assertThat(tell(ORDERER, READ)).singleElement().isInstanceOf(Report.class);
    server = server();
    server.step(new Input.Started<>(journal), NOW);
    assertThat(tell(ORDERER, READ)).singleElement().isInstanceOf(Report.class);
  }

  @Test
  void aStateAheadDoesNotMakeReadersBelieveOneThatHasAcceptedNothing() {
    restore(ORDERER, "a");
    StateId state = new Entry(1, StateId.genesis("a").link(), Bytes.EMPTY).state();
    Statement commit = new Statement(RANK, state, Optional.empty());
    tell(ORDERER, new InstallSnapshot("a", new LogSnapshot(commit, Bytes.EMPTY)));

    assertThat(tell(ORDERER, READ)).isEmpty();
  }
}
