package io.testudo.ordering.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.PrefixChanges;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.WatchPrefix;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is told of which objects, how often, and what it costs. */
class PrefixWatchersTest {
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);
  private static final Rank RANK = new Rank(5, 7);

  private final OrderingServer server = new OrderingServer(Mode.SEALED_STATEMENTS);
  private final List<PrefixChanges> toldBob = new ArrayList<>();
  private long nowNanos;

  @BeforeEach
  void start() {
    step(new Input.Started<>(List.of()));
  }

  private void step(Input<ClientId> input) {
    toldBob.clear();
    for (Effect<ClientId> effect : server.step(input, new Moment(nowNanos, 1_000))) {
      if (effect instanceof Effect.Send<ClientId> send
          && send.to().equals(BOB)
          && send.message() instanceof PrefixChanges changes) {
        toldBob.add(changes);
      }
    }
  }

  private void hear(ClientId from, Message message) {
    step(new Input.Received<>(from, message));
  }

  /** The first version of an object. */
  private void make(String object, boolean deletes) {
    StateId start = StateId.genesis(object);
    EntryBody.Done done =
        new EntryBody.Done(7, 1, 0, Bytes.EMPTY, Bytes.wrap(new byte[] {6, 2}), deletes);
    Entry entry = new Entry(1, start.link(), EntryBody.of(done).toBytes());
    Statement statement = new Statement(RANK, entry.state(), Optional.empty());
    hear(ALICE, new Propose(object, statement, Optional.empty(), List.of(entry), Optional.empty()));
    hear(ALICE, new Commit(object, statement, Optional.empty()));
  }

  /** Up to where the server has counted. */
  private long watchFromNow(String prefix) {
    hear(BOB, new WatchPrefix(prefix, 0));
    assertThat(toldBob).extracting(PrefixChanges::hasGap).containsExactly(true);
    long upTo = toldBob.get(0).upTo();
    hear(BOB, new WatchPrefix(prefix, upTo));
    assertThat(toldBob).isEmpty();
    return upTo;
  }

  private List<String> names() {
    return toldBob.stream()
        .flatMap(it -> it.objects().stream())
        .map(ObjectList.Item::object)
        .toList();
  }

  @Test
  void tellsOnceOfNamesThatStartSo() {
    long from = watchFromNow("jobs/");
    make("other", false);
    assertThat(toldBob).isEmpty();
    make("jobs/1", false);
    assertThat(names()).containsExactly("jobs/1");
    assertThat(toldBob.get(0).objects().get(0).type()).isEqualTo(3);
    long upTo = toldBob.get(0).upTo();
    make("jobs/2", true);
    assertThat(toldBob).isEmpty();

    hear(BOB, new WatchPrefix("jobs/", upTo));
    assertThat(names()).containsExactly("jobs/2");
    assertThat(toldBob.get(0).objects().get(0).isAbsent()).isTrue();
    hear(BOB, new WatchPrefix("jobs/", from));
    assertThat(names()).as("who has lost an answer asks again").containsExactly("jobs/1", "jobs/2");
  }

  @Test
  void saysWhenItHasForgottenWhatChanged() {
    long from = watchFromNow("a");
    for (int i = 0; i <= PrefixWatchers.MAX_CHANGES + 1; i++) {
      make("b" + i, false);
    }
    hear(BOB, new WatchPrefix("b", from));
    assertThat(toldBob).extracting(PrefixChanges::hasGap).containsExactly(true);
    hear(BOB, new WatchPrefix("b", toldBob.get(0).upTo() + 1_000_000));
    assertThat(toldBob).as("numbers of another life").hasSize(1);
    assertThat(toldBob.get(0).hasGap()).isTrue();
  }

  @Test
  void tellsOfManyInPages() {
    long from = watchFromNow("a");
    for (int i = 0; i < 2 * ObjectList.MAX_OBJECTS; i++) {
      make("b" + i, false);
    }
    hear(BOB, new WatchPrefix("b", from));
    assertThat(names()).hasSize(ObjectList.MAX_OBJECTS);
    hear(BOB, new WatchPrefix("b", toldBob.get(0).upTo()));
    assertThat(names()).hasSize(ObjectList.MAX_OBJECTS).contains("b200").doesNotContain("b0");
  }

  /** A short question has a long answer, or makes the server look through all that has changed. */
  @Test
  void chargesWhatItTellsAndWhatItLooksThrough() {
    for (String prefix : List.of("b", "nothing starts so")) {
      nowNanos += 10_000_000_000L;
      long from = watchFromNow("a");
      for (int i = 0; i < ObjectList.MAX_OBJECTS; i++) {
        make("b" + prefix.length() + "/" + i, false);
      }
      for (int i = 0; i < 2_000; i++) {
        hear(BOB, new WatchPrefix(prefix, from));
      }
      hear(BOB, new WatchPrefix("b", from));
      assertThat(toldBob).isEmpty();
      hear(BOB, new WatchPrefix("b", from - 1_000_000));
      assertThat(toldBob).as("that there is a gap takes no look").hasSize(1);
      nowNanos += 1_000_000_000L;
      hear(BOB, new WatchPrefix("b", from));
      assertThat(names()).hasSize(ObjectList.MAX_OBJECTS);
    }
  }

  @Test
  void leavesRoomToOthers() {
    hear(ALICE, new WatchPrefix("", 0));
    long upTo = watchFromNow("mine");
    for (int i = 0; i < 10 * PrefixWatchers.MAX_WATCHERS; i++) {
      hear(new ClientId("mallory", i, 1), new WatchPrefix("m", upTo));
    }
    long before = server.memoryBytes();
    hear(new ClientId("carol", 1, 1), new WatchPrefix("m", upTo));
    assertThat(server.memoryBytes()).isGreaterThan(before);
    assertThat(before).isLessThan(PrefixWatchers.MAX_WATCHERS * 400L);
    make("mine", false);
    assertThat(names()).containsExactly("mine");
  }

  @Test
  void isForThoseWhoMayReadAllOfIt() {
    assertThat(new WatchPrefix("jobs/", 0).right()).isEqualTo(Right.READ);
    assertThat(new WatchPrefix("jobs/", 0).name()).isEqualTo("jobs/");
  }
}
