package io.testudo.quorum.ping;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.Need;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.ServerView.Standing;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Four servers of which one may lie. */
class PingClientTest {
  private static final long RETRY_NANOS = 10;
  private static final Survey QUORUM = new Survey(Await.QUORUM, 100);
  private static final Survey ALL = new Survey(Await.ALL, 100);

  private final PingClient client =
      new PingClient(Need.PING.thresholds(4, 1), RETRY_NANOS, Entropy.seeded(1));
  private long nowNanos;
  private long calls;

  @BeforeEach
  void start() {
    client.step(new Input.Started<>(List.of()), now());
  }

  private Moment now() {
    return new Moment(nowNanos, 0);
  }

  private List<Effect<ServerId>> survey(Survey survey) {
    return client.step(new Input.Called<>(new CallId<SurveyResult>(++calls), survey), now());
  }

  private static Ping pingIn(List<Effect<ServerId>> effects) {
    return effects.stream()
        .filter(effect -> effect instanceof Effect.Send)
        .map(effect -> (Ping) ((Effect.Send<ServerId>) effect).message())
        .findFirst()
        .orElseThrow();
  }

  private static List<ServerId> asked(List<Effect<ServerId>> effects) {
    List<ServerId> servers = new ArrayList<>();
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.Send<ServerId> send) {
        servers.add(send.to());
      }
    }
    return servers;
  }

  private List<Effect<ServerId>> pong(long nonce, int server, long incarnation, long... witnessed) {
    ServerId from = new ServerId(server);
    return client.step(
        new Input.Received<>(from, new Pong(nonce, from, incarnation, Incarnations.of(witnessed))),
        now());
  }

  private static Optional<SurveyResult> result(List<Effect<ServerId>> effects) {
    return effects.stream()
        .filter(effect -> effect instanceof Effect.Complete)
        .map(effect -> (SurveyResult) ((Effect.Complete<ServerId>) effect).result())
        .findFirst();
  }

  private static List<TimerKey> timersSet(List<Effect<ServerId>> effects) {
    List<TimerKey> keys = new ArrayList<>();
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.SetTimer<ServerId> timer) {
        keys.add(timer.key());
      }
    }
    return keys;
  }

  @Test
  void asksEveryServerAndIsDoneWithAQuorum() {
    List<Effect<ServerId>> asking = survey(QUORUM);
    long nonce = pingIn(asking).nonce();
    nowNanos = 7;

    assertThat(asked(asking)).hasSize(4);
    assertThat(result(pong(nonce, 0, 1, 0, 0, 0, 0))).isEmpty();
    assertThat(result(pong(nonce, 1, 1, 0, 0, 0, 0))).isEmpty();
    SurveyResult done = result(pong(nonce, 2, 1, 0, 0, 0, 0)).orElseThrow();
    assertThat(done.of(new ServerId(0)).roundTripNanos()).isEqualTo(7);
    assertThat(done.of(new ServerId(3)).standing()).isEqualTo(Standing.SILENT);
  }

  @Test
  void countsAServerOnceHoweverOftenItAnswers() {
    long nonce = pingIn(survey(QUORUM)).nonce();
    pong(nonce, 0, 1, 0, 0, 0, 0);
    pong(nonce, 1, 1, 0, 0, 0, 0);
    assertThat(result(pong(nonce, 1, 2, 0, 0, 0, 0))).isEmpty();
  }

  @Test
  void ignoresAnswersToOtherQuestions() {
    long nonce = pingIn(survey(QUORUM)).nonce();
    for (int server = 0; server < 4; server++) {
      assertThat(pong(nonce + 1, server, 1, 0, 0, 0, 0)).isEmpty();
    }
    assertThat(client.awaits(new ServerId(0), nonce)).isTrue();
    assertThat(client.awaits(new ServerId(0), nonce + 1)).isFalse();
  }

  @Test
  void countsAnIncarnationOnlyWhenOneOfItsReportersMustBeCorrect() {
    long nonce = pingIn(survey(ALL)).nonce();
    pong(nonce, 0, 1, 0, 9, 0, 0);
    pong(nonce, 1, 5, 0, 0, 0, 0);
    pong(nonce, 2, 1, 0, 5, 0, 0);
    SurveyResult done = result(pong(nonce, 3, 1, 0, 0, 0, 0)).orElseThrow();

    // Of s1 the reports are 9, 5 (its own) and 5: the second highest is sure.
    assertThat(done.of(new ServerId(1)).vouched()).isEqualTo(5);
    assertThat(done.of(new ServerId(1)).standing()).isEqualTo(Standing.KNOWN);
    // Of s2 there is only its own word.
    assertThat(done.of(new ServerId(2)).vouched()).isZero();
    assertThat(done.of(new ServerId(2)).standing()).isEqualTo(Standing.NEWS);
  }

  @Test
  void passesOnAServersOwnWordAndNeverTheWordOfOneOther() {
    long nonce = pingIn(survey(ALL)).nonce();
    pong(nonce, 0, 3, 0, 9, 0, 0);
    assertThat(pingIn(survey(ALL)).known()).isEqualTo(Incarnations.of(3, 0, 0, 0));
  }

  @Test
  void givesTheRestLessTimeOnceOneHasAnswered() {
    long nonce = pingIn(survey(new Survey(Survey.Await.ALL, 5_000, 100))).nonce();
    assertThat(pong(nonce, 0, 1, 0, 0, 0, 0))
        .anyMatch(
            effect ->
                effect instanceof Effect.SetTimer<ServerId> timer && timer.delayNanos() == 100);
    assertThat(pong(nonce, 1, 1, 0, 0, 0, 0)).isEmpty();
  }

  @Test
  void findsOutAServerThatForgot() {
    long first = pingIn(survey(ALL)).nonce();
    pong(first, 0, 7, 0, 0, 0, 0);
    pong(first, 1, 1, 7, 0, 0, 0);
    pong(first, 2, 1, 7, 0, 0, 0);
    pong(first, 3, 1, 7, 0, 0, 0);
    long second = pingIn(survey(ALL)).nonce();
    List<Effect<ServerId>> fallen = pong(second, 0, 1, 0, 0, 0, 0);
    pong(second, 1, 1, 7, 0, 0, 0);
    pong(second, 2, 1, 7, 0, 0, 0);
    SurveyResult done = result(pong(second, 3, 1, 7, 0, 0, 0)).orElseThrow();

    assertThat(fallen)
        .contains(new Effect.Tell<>(new Suspicion(new ServerId(0), "it says 1 and denies 7")));
    assertThat(done.of(new ServerId(0)).standing()).isEqualTo(Standing.FORGETFUL);
    assertThat(done.of(new ServerId(0)).vouched()).isEqualTo(7);

    // It starts until it has caught up, and is not forgiven: the others are told of more.
    long third = 7 + Witnesses.PENALTY;
    assertThat(pingIn(survey(ALL)).known().of(new ServerId(0))).isEqualTo(third);
    long fourth = pingIn(survey(ALL)).nonce();
    pong(fourth, 0, 8, 0, 0, 0, 0);
    pong(fourth, 1, 1, third, 0, 0, 0);
    pong(fourth, 2, 1, third, 0, 0, 0);
    SurveyResult later = result(pong(fourth, 3, 1, third, 0, 0, 0)).orElseThrow();
    assertThat(later.of(new ServerId(0)).standing()).isEqualTo(Standing.FORGETFUL);
    assertThat(later.of(new ServerId(0)).vouched()).isEqualTo(third);
  }

  /** Server 0 found 100 on its disk at its last start, and began with 1,000. */
  private SurveyResult afterALeap(long byOne, long byTwo, long byThree) {
    long nonce = pingIn(survey(ALL)).nonce();
    ServerId leaper = new ServerId(0);
    client.step(
        new Input.Received<>(
            leaper,
            new Pong(
                nonce,
                leaper,
                1_003,
                0,
                ImmutableList.of(new Leap(7, 90), new Leap(100, 1_000)),
                Incarnations.none(4))),
        now());
    pong(nonce, 1, 1, byOne, 0, 0, 0);
    pong(nonce, 2, 1, byTwo, 0, 0, 0);
    return result(pong(nonce, 3, 1, byThree, 0, 0, 0)).orElseThrow();
  }

  @Test
  void findsOutAServerThatWentOnFromACopyOfItsDisk() {
    ServerView denied = afterALeap(104, 104, 0).of(new ServerId(0));
    assertThat(denied.otherLife()).isEqualTo(104);
    assertThat(denied.standing()).isEqualTo(Standing.FORGETFUL);
    // It is not forgiven when the others have heard of its present life.
    assertThat(pingIn(survey(ALL)).known().of(new ServerId(0)))
        .isEqualTo(1_003 + Witnesses.PENALTY);
  }

  @Test
  void findsOutAServerThatWentBackBeyondSeveralStarts() {
    assertThat(afterALeap(8, 99, 8).of(new ServerId(0)).otherLife()).isEqualTo(8);
  }

  @Test
  void doesNotAccuseAServerThatWasRestartedWhateverOneLiarSays() {
    assertThat(afterALeap(100, 104, 1_001).of(new ServerId(0)).otherLife()).isZero();
    assertThat(afterALeap(1_003, 104, 90).of(new ServerId(0)).standing())
        .isNotEqualTo(Standing.FORGETFUL);
  }

  @Test
  void passesOnOnlyTheVeryNumbersThatServersSaid() {
    long nonce = pingIn(survey(ALL)).nonce();
    pong(nonce, 0, 50, 0, 0, 0, 0);
    pong(nonce, 1, 1, 1_005, 0, 0, 0);
    pong(nonce, 2, 1, 110, 0, 0, 0); // Made up, and within a leap of server 0.
    assertThat(pong(nonce, 3, 1, 50, 0, 0, 0)).isNotEmpty();
    assertThat(pingIn(survey(ALL)).known().of(new ServerId(0))).isEqualTo(50);
  }

  @Test
  void doesNotAccuseAServerWhoseAnswersOvertookEachOther() {
    long first = pingIn(survey(ALL)).nonce();
    long second = pingIn(survey(ALL)).nonce();
    pong(second, 0, 2, 0, 0, 0, 0);
    assertThat(pong(first, 0, 1, 0, 0, 0, 0)).isEmpty();
  }

  @Test
  void doesNotCallAServerForgetfulThatRestartedDuringTheSurvey() {
    long nonce = pingIn(survey(ALL)).nonce();
    pong(nonce, 0, 1, 0, 0, 0, 0);
    pong(nonce, 1, 1, 2, 0, 0, 0);
    pong(nonce, 2, 1, 2, 0, 0, 0);
    SurveyResult done = result(pong(nonce, 3, 1, 2, 0, 0, 0)).orElseThrow();

    assertThat(done.of(new ServerId(0)).vouched()).isEqualTo(2);
    assertThat(done.of(new ServerId(0)).standing()).isEqualTo(Standing.NEWS);
  }

  @Test
  void suspectsAServerThatUsesAnotherName() {
    long nonce = pingIn(survey(QUORUM)).nonce();
    List<Effect<ServerId>> effects =
        client.step(
            new Input.Received<>(
                new ServerId(0), new Pong(nonce, new ServerId(1), 1, Incarnations.none(4))),
            now());

    assertThat(effects)
        .containsExactly(new Effect.Tell<>(new Suspicion(new ServerId(0), "calls itself s1")));
    assertThat(client.awaits(new ServerId(0), nonce)).isTrue();
  }

  @Test
  void suspectsAServerThatSpeaksOfAnotherCluster() {
    long nonce = pingIn(survey(QUORUM)).nonce();
    assertThat(pong(nonce, 0, 1, 0, 0))
        .containsExactly(new Effect.Tell<>(new Suspicion(new ServerId(0), "speaks of 2 servers")));
  }

  @Test
  void asksAgainOnlyThoseThatHaveNotAnswered() {
    List<Effect<ServerId>> asking = survey(ALL);
    pong(pingIn(asking).nonce(), 2, 1, 0, 0, 0, 0);
    List<Effect<ServerId>> again =
        client.step(new Input.TimerFired<>(timersSet(asking).get(0)), now());

    assertThat(asked(again)).containsExactly(new ServerId(0), new ServerId(1), new ServerId(3));
    assertThat(timersSet(again)).containsExactly(timersSet(asking).get(0));
  }

  @Test
  void goesOnWithAQuorumAtTheDeadline() {
    List<Effect<ServerId>> asking = survey(ALL);
    long nonce = pingIn(asking).nonce();
    pong(nonce, 0, 1, 0, 0, 0, 0);
    pong(nonce, 1, 1, 0, 0, 0, 0);
    pong(nonce, 2, 1, 0, 0, 0, 0);
    List<Effect<ServerId>> late =
        client.step(new Input.TimerFired<>(timersSet(asking).get(1)), now());

    assertThat(result(late)).isPresent();
  }

  @Test
  void failsAtTheDeadlineWithoutAQuorumAndSaysSo() {
    List<Effect<ServerId>> asking = survey(QUORUM);
    pong(pingIn(asking).nonce(), 0, 1, 0, 0, 0, 0);
    List<Effect<ServerId>> late =
        client.step(new Input.TimerFired<>(timersSet(asking).get(1)), now());

    Effect.Fail<ServerId> failure = (Effect.Fail<ServerId>) late.get(0);
    assertThat(failure.reason())
        .isInstanceOf(NoQuorumException.class)
        .hasMessageContaining("1 of 4 servers answered, 3 are needed");
    assertThat(failure.reason().outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN);
    assertThat(client.step(new Input.TimerFired<>(timersSet(asking).get(0)), now())).isEmpty();
  }

  @Test
  void forgetsACancelledSurvey() {
    long nonce = pingIn(survey(QUORUM)).nonce();
    client.step(new Input.Cancelled<>(new CallId<SurveyResult>(calls)), now());
    assertThat(client.awaits(new ServerId(0), nonce)).isFalse();
  }

  @Test
  void refusesMoreSurveysThanItCanKeep() {
    for (int i = 0; i < PingClient.MAX_SURVEYS; i++) {
      survey(QUORUM);
    }
    assertThat(survey(QUORUM))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Fail.class,
            failure -> assertThat(failure.reason()).isInstanceOf(OverloadedException.class));
  }
}
