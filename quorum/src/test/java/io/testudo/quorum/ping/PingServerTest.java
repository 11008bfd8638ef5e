package io.testudo.quorum.ping;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PingServerTest {
  private static final Moment NOW = new Moment(0, 0);
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId S1 = new ServerId(1);
  private static final ServerId S2 = new ServerId(2);
  private static final ClientId ALICE = new ClientId("alice", 1, 1);

  private final PingServer server = new PingServer(S1, 3);

  private List<Effect<ClientId>> start(StateRecord... recovered) {
    return server.step(new Input.Started<>(List.of(recovered)), NOW);
  }

  private List<Effect<ClientId>> ping(long nonce, long... known) {
    return server.step(new Input.Received<>(ALICE, new Ping(nonce, Incarnations.of(known))), NOW);
  }

  @Test
  void countsAndPersistsEachStart() {
    assertThat(start()).containsExactly(new Effect.Persist<>(new Incarnated(1)));
  }

  @Test
  void countsOnFromWhatItRecovered() {
    assertThat(start(new Incarnated(4), new Witnessed(S0, 2), new Incarnated(5)))
        .containsExactly(new Effect.Persist<>(new Incarnated(6)));
    assertThat(ping(9, 0, 0, 0))
        .containsExactly(new Effect.Send<>(ALICE, new Pong(9, S1, 6, Incarnations.of(2, 0, 0))));
  }

  @Test
  void aHotCopyOfItsDiskBeginsBelowWhatItHasSaidSince() {
    start(new Incarnated(4)); // The copy is made now, and has 5.
    Moment later = new Moment(Counting.STEADY.onNanos(), 0);
    List<Effect<ClientId>> answer =
        server.step(new Input.Received<>(ALICE, new Ping(9, Incarnations.none(3))), later);
    assertThat(answer)
        .containsExactly(
            new Effect.Persist<>(new Incarnated(7)),
            new Effect.Send<>(ALICE, new Pong(9, S1, 7, Incarnations.none(3))));
    PingServer copy = new PingServer(S1, 3);
    copy.step(new Input.Started<>(List.of(new Incarnated(5))), later);
    assertThat(copy.incarnation()).isLessThan(7);
  }

  @Test
  void leapsOverAllThatItSaidSinceACopyOfItsDiskWasMade() {
    Counting counting = Counting.leaping(Entropy.seeded(1));
    PingServer original = new PingServer(S1, 3, () -> 0, counting);
    original.step(new Input.Started<>(List.of(new Incarnated(1))), NOW);
    List<StateRecord> copy = original.snapshot();
    Moment later = new Moment(counting.onNanos(), 0);
    original.step(new Input.Received<>(ALICE, new Ping(9, Incarnations.none(3))), later);
    long said = original.incarnation();

    // However often it starts before anybody looks.
    List<StateRecord> disk = copy;
    for (int start = 0; start < Pong.MAX_LEAPS; start++) {
      PingServer restored = new PingServer(S1, 3, () -> 0, counting);
      restored.step(new Input.Started<>(disk), later);
      disk = restored.snapshot();
      Pong pong = pongOf(restored, later);
      assertThat(pong.incarnation()).isGreaterThan(said);
      assertThat(pong.skips(said)).isTrue();
    }
    PingServer honest = new PingServer(S1, 3, () -> 0, counting);
    honest.step(new Input.Started<>(original.snapshot()), later);
    assertThat(pongOf(honest, later).skips(said)).isFalse();
    PingServer clone = new PingServer(S1, 3, () -> 0, counting);
    clone.step(new Input.Started<>(original.snapshot()), later);
    assertThat(clone.incarnation()).isNotEqualTo(honest.incarnation());
  }

  @Test
  void tellsAStartFromCountingOn() {
    Counting counting = Counting.leaping(Entropy.seeded(2));
    PingServer before = new PingServer(S1, 3, () -> 0, counting);
    before.step(new Input.Started<>(List.of()), NOW);
    ServerView first = viewOf(before, NOW);
    Moment later = new Moment(counting.onNanos(), 0);
    ServerView second = viewOf(before, later);
    assertThat(second.claimed()).isGreaterThan(first.claimed());
    assertThat(second.hasStartedSince(first)).isFalse();

    PingServer after = new PingServer(S1, 3, () -> 0, counting);
    after.step(new Input.Started<>(before.snapshot()), later);
    assertThat(viewOf(after, later).hasStartedSince(second)).isTrue();
    assertThat(first.hasStartedSince(second)).as("it went back").isTrue();
  }

  private static ServerView viewOf(PingServer server, Moment now) {
    return new ServerView(S1, true, pongOf(server, now).incarnation(), 0, 0, 1, 0);
  }

  private static Pong pongOf(PingServer server, Moment now) {
    return server.step(new Input.Received<>(ALICE, new Ping(9, Incarnations.none(3))), now).stream()
        .filter(effect -> effect instanceof Effect.Send)
        .map(effect -> (Pong) ((Effect.Send<ClientId>) effect).message())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void answersWithItsNameItsIncarnationAndWhatItWitnessed() {
    start();
    assertThat(ping(9, 0, 0, 0))
        .containsExactly(new Effect.Send<>(ALICE, new Pong(9, S1, 1, Incarnations.none(3))));
  }

  @Test
  void persistsNewsBeforeItSpeaksOfThem() {
    start();
    assertThat(ping(9, 3, 0, 5))
        .containsExactly(
            new Effect.Persist<>(new Witnessed(S0, 3)),
            new Effect.Persist<>(new Witnessed(S2, 5)),
            new Effect.Send<>(ALICE, new Pong(9, S1, 1, Incarnations.of(3, 0, 5))));
  }

  @Test
  void keepsTheHighestOfWhatItIsTold() {
    start();
    ping(1, 3, 0, 5);
    assertThat(ping(2, 2, 0, 5))
        .containsExactly(new Effect.Send<>(ALICE, new Pong(2, S1, 1, Incarnations.of(3, 0, 5))));
  }

  @Test
  void forgetsWhatItWasToldOfAPardonedServerForGood() {
    start();
    ping(1, 3, 0, 5);
    assertThat(server.step(new Input.Received<>(ALICE, new Pardon(2, S0)), NOW))
        .containsExactly(
            new Effect.Persist<>(new Witnessed(S0, 0)),
            new Effect.Send<>(ALICE, new Pong(2, S1, 1, Incarnations.of(0, 0, 5))));
    PingServer restarted = new PingServer(S1, 3);
    restarted.step(
        new Input.Started<>(List.of(new Incarnated(1), new Witnessed(S0, 3), new Witnessed(S0, 0))),
        NOW);
    assertThat(restarted.snapshot()).containsExactly(new Incarnated(2));
    assertThat(server.step(new Input.Received<>(ALICE, new Pardon(3, new ServerId(3))), NOW))
        .isEmpty();
  }

  @Test
  void isToldOfOthersByThoseOnlyWhoMayAdminister() {
    Rights rights =
        Rights.of(
            List.of(
                Grant.of("root", Set.of(Right.ADMINISTER), ""),
                Grant.of("alice", Set.of(Right.LOCK, Right.READ), "")),
            List.of("carol"));
    Ping question = new Ping(1, Incarnations.none(3));
    Ping testimony = new Ping(1, Incarnations.of(0, 0, 1L << 62));
    Pardon pardon = new Pardon(1, S0);
    for (String anybody : List.of("alice", "carol", "mallory")) {
      assertThat(question.isAllowed(rights, anybody)).isTrue();
      assertThat(testimony.isAllowed(rights, anybody)).isFalse();
      assertThat(pardon.isAllowed(rights, anybody)).isFalse();
    }
    assertThat(testimony.isAllowed(rights, "root")).isTrue();
    assertThat(pardon.isAllowed(rights, "root")).isTrue();
  }

  @Test
  void doesNotAnswerAClientOfAClusterOfAnotherSize() {
    start();
    assertThat(ping(1, 3, 0)).isEmpty();
  }

  @Test
  void recoversTheSameFromItsSnapshotAsFromItsLog() {
    start(new Incarnated(4));
    ping(1, 3, 0, 5);
    PingServer restarted = new PingServer(S1, 3);
    restarted.step(new Input.Started<>(server.snapshot()), NOW);

    assertThat(server.snapshot())
        .containsExactly(new Incarnated(5), new Witnessed(S0, 3), new Witnessed(S2, 5));
    assertThat(restarted.snapshot())
        .containsExactly(new Incarnated(6), new Witnessed(S0, 3), new Witnessed(S2, 5));
  }
}
