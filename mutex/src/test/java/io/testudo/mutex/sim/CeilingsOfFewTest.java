package io.testudo.mutex.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.Ceilings;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.TakeCeilings;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A server that lost its disk is readmitted while not all others answer. */
class CeilingsOfFewTest {
  private static final LockTiming TIMING = LockTiming.standard();
  private static final long WALL_MILLIS = 1_800_000_000_000L;
  private static final long AHEAD_MILLIS = 3_600_000;
  private static final ClientId CLIENT = new ClientId("locker", 1, 1);
  private static final long SECOND = 1_000_000_000L;

  private static BackoffServer started(List<StateRecord> journal, Moment now) {
    BackoffServer server = new BackoffServer(TIMING);
    server.step(new Input.Started<>(journal), now);
    return server;
  }

  private static boolean grants(BackoffServer server, long time, Moment now) {
    Try request = new Try("lock", 0, time, Optional.empty(), SECOND, 1, false);
    return server.step(new Input.Received<>(CLIENT, request), now).stream()
        .anyMatch(it -> it instanceof Effect.Send<ClientId> send && send.message() instanceof Free);
  }

  private static Ceilings upTo(long time) {
    return new Ceilings(0, true, new Ceilings.Ranks(time, ImmutableMap.of()));
  }

  private static Ceilings lost() {
    return new Ceilings(0, false, new Ceilings.Ranks(0, ImmutableMap.of()));
  }

  @Test
  void noTokenFallsWhenOneThatGrantedIsSlowToTellAndOneLies() {
    Thresholds thresholds = BackoffProtocol.ALL_SERVERS.thresholds(7, 2);
    // Their clocks are an hour ahead, those of the two idle ones are not.
    Moment ahead = new Moment(0, WALL_MILLIS + AHEAD_MILLIS);
    List<BackoffServer> granting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      granting.add(started(List.of(), ahead));
    }
    List<BackoffServer> idle = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      idle.add(started(List.of(), new Moment(0, WALL_MILLIS)));
    }
    long token = RankClock.atWall(ahead.wallMillis());
    // With the liar that is a holder.
    assertThat(granting).allMatch(server -> grants(server, token, ahead));
    assertThat(granting.size() + 1).isEqualTo(thresholds.consents());

    // The clocks are set. One that granted loses its disk, and another is not heard.
    Moment set = new Moment(SECOND, WALL_MILLIS + 1_000);
    BackoffServer returned = started(new BackoffProtocol(TIMING).readmitted(set.wallMillis()), set);
    List<Ceilings> answers = new ArrayList<>(List.of(returned.ceilings(0), upTo(0)));
    granting.subList(1, 3).forEach(server -> answers.add(server.ceilings(0)));
    idle.forEach(server -> answers.add(server.ceilings(0)));
    Ceilings.Ranks told = Ceilings.vouched(answers, thresholds).orElseThrow();
    returned.step(new Input.Received<>(CLIENT, new TakeCeilings(1, told)), set);

    // It is let in, so a second one may lie: these two and the idle ones need just one more.
    Moment later = new Moment(600 * SECOND, WALL_MILLIS + 600_000);
    assertThat(grants(returned, RankClock.atWall(later.wallMillis()), later)).isFalse();
  }

  @Test
  void liarsAloneRaiseNoCeiling() {
    Thresholds thresholds = BackoffProtocol.ALL_SERVERS.thresholds(10, 3);
    List<Ceilings> answers = new ArrayList<>(List.of(lost(), upTo(9_000), upTo(9_000)));
    answers.addAll(Collections.nCopies(6, upTo(10)));

    assertThat(Ceilings.vouched(answers, thresholds).orElseThrow().time()).isEqualTo(10);
  }

  @Test
  void moreHaveToAnswerThanMayLieBesideThoseThatForgot() {
    Thresholds thresholds = BackoffProtocol.ALL_SERVERS.thresholds(10, 3);
    List<Ceilings> answers = new ArrayList<>(List.of(lost()));
    answers.addAll(Collections.nCopies(7, upTo(10)));
    assertThat(Ceilings.vouched(answers, thresholds)).isEmpty();
    assertThat(Ceilings.answersNeeded(answers, thresholds)).isEqualTo(8);

    answers.add(lost()); // One more that forgot, and so does not lie.
    assertThat(Ceilings.vouched(answers, thresholds)).isPresent();
  }

  @Test
  void whereNoServerMayFailAllOthersAnswer() {
    Thresholds three = BackoffProtocol.ALL_SERVERS.thresholds(3, 0);
    assertThat(Ceilings.vouched(List.of(lost(), upTo(10)), three)).isEmpty();
    assertThat(Ceilings.vouched(List.of(lost(), upTo(10), upTo(5)), three).orElseThrow().time())
        .isEqualTo(10);
    Thresholds one = BackoffProtocol.ALL_SERVERS.thresholds(1, 0);
    assertThat(Ceilings.vouched(List.of(lost()), one).orElseThrow().time()).isZero();
  }
}
