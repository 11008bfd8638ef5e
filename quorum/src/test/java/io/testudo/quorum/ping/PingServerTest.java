package io.testudo.quorum.ping;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Right;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
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
    Moment later = new Moment(PingServer.COUNTS_ON_NANOS, 0);
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
