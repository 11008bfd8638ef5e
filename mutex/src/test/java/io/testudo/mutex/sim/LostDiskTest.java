package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.ByHand.QUARANTINE_NANOS;
import static io.testudo.mutex.sim.ByHand.TIMING;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.backoff.AskCeilings;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.backoff.Ceilings;
import io.testudo.mutex.backoff.CeilingsKnown;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.LongestLease;
import io.testudo.mutex.backoff.RankCeiling;
import io.testudo.mutex.backoff.TakeCeilings;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.BackendTable;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.sim.ByHand.Client;
import io.testudo.mutex.sim.ByHand.Reply;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A server that lost its disk learns from others how far ranks went, or the fence would fall. */
class LostDiskTest {
  private static final Acquire ONCE = Acquire.of("a", TIMING.maxHoldNanos(), 0);
  private static final ClientId OPERATOR = new ClientId("operator", 99, 1);
  private static final long HOUR_MILLIS = 3_600_000;

  private final ByHand hands = new ByHand();
  private final ByHand.Server lost = hands.servers.get(3);

  /** All clocks were an hour ahead when s1, s2 and s3 granted the lock; now they are right. */
  private long tokenOfAnEarlierHolder() {
    hands.servers.forEach(server -> server.wallAheadMillis = HOUR_MILLIS);
    Client holder = hands.newClient(1);
    holder.wallAheadMillis = HOUR_MILLIS;
    holder.hearAll(holder.reach(holder.call(ONCE), 1, 2, 3));
    long token = holder.entered.get(0).token();
    hands.checker.left(holder.id, "a", token);
    holder.reach(holder.call(new ReleaseCall("a", token)), 0, 1, 2, 3);
    hands.servers.forEach(server -> server.wallAheadMillis = 0);
    return token;
  }

  private void loseTheDisk() {
    lost.disk.clear();
    lost.disk.add(new LongestLease(QUARANTINE_NANOS));
    lost.disk.add(new RankCeiling(BackendTable.fenceFloorAt(lost.wallMillis(), TIMING)));
    lost.disk.add(new CeilingsKnown(false));
    lost.restart();
    hands.pass(60 * 1_000 * ByHand.MILLI);
  }

  private List<Ceilings> ask(int... servers) {
    List<Ceilings> answers = new ArrayList<>();
    for (int server : servers) {
      for (Message answer : hands.servers.get(server).hear(OPERATOR, new AskCeilings(1))) {
        answers.add((Ceilings) answer);
      }
    }
    return answers;
  }

  /** One who enters with s0, which was not asked before, s3, and s1, which lies from now on. */
  private Client contender() {
    Client next = hands.newClient(1);
    var sent = next.call(ONCE);
    Try asked = (Try) sent.get(0).message();
    List<Reply> replies = new ArrayList<>(next.reach(sent, 0, 3));
    replies.add(new Reply(1, new Free("a", asked.contender(), asked.time(), 1)));
    next.hearAll(replies); // The checker sees whether the token falls.
    return next;
  }

  @Test
  void grantsNothingUntilItHasHeardFromOthers() {
    tokenOfAnEarlierHolder();
    loseTheDisk();
    assertThat(contender().entered).isEmpty();
    lost.restart();
    hands.pass(QUARANTINE_NANOS + 1);
    assertThat(contender().entered).as("after another restart").isEmpty();
  }

  @Test
  void goesOnAboveWhatEnoughOthersHaveGranted() {
    long token = tokenOfAnEarlierHolder();
    loseTheDisk();
    assertThat(contender().entered).as("before it is told").isEmpty();
    hands.pass(QUARANTINE_NANOS + 1); // Then s0 is free again.
    Ceilings.Ranks vouched = Ceilings.vouched(ask(0, 1, 2, 3), hands.thresholds).orElseThrow();
    assertThat(vouched.of("a")).isGreaterThanOrEqualTo(token);
    assertThat(lost.hear(OPERATOR, new TakeCeilings(2, vouched)))
        .containsExactly(new Ceilings(2, true, vouched));
    assertThat(contender().entered).isEmpty();
    lost.restart();
    hands.pass(QUARANTINE_NANOS + 1);
    assertThat(contender().entered).as("after another restart").isEmpty();
    assertThat(ask(3).get(0).known()).isTrue();
  }

  @Test
  void believesNeitherOneServerNorTooFew() {
    Ceilings.Ranks low = new Ceilings.Ranks(5, ImmutableMap.of());
    Ceilings.Ranks high = new Ceilings.Ranks(70, ImmutableMap.of("a", 90L));
    Ceilings.Ranks middle = new Ceilings.Ranks(6, ImmutableMap.of("a", 80L));
    assertThat(Ceilings.vouched(answers(low, middle, high), hands.thresholds))
        .isEqualTo(Optional.of(new Ceilings.Ranks(6, ImmutableMap.of("a", 80L))));
    assertThat(Ceilings.vouched(answers(low, high), hands.thresholds)).isEmpty();
    Thresholds none = BackoffProtocol.ALL_SERVERS.thresholds(3, 0);
    assertThat(Ceilings.vouched(answers(low, high), none)).isEqualTo(Optional.of(high));
  }

  private static List<Ceilings> answers(Ceilings.Ranks... ranks) {
    List<Ceilings> answers = new ArrayList<>();
    answers.add(new Ceilings(1, false, new Ceilings.Ranks(1_000, ImmutableMap.of())));
    for (Ceilings.Ranks each : ranks) {
      answers.add(new Ceilings(1, true, each));
    }
    return answers;
  }

  @Test
  void takesNothingIfItHasItsMemory() {
    Ceilings.Ranks high = new Ceilings.Ranks(1L << 62, ImmutableMap.of());
    hands.servers.get(0).hear(OPERATOR, new TakeCeilings(1, high));
    assertThat(ask(0).get(0).ranks().time()).isZero();
    Client client = hands.newClient(1);
    client.hearAll(client.reach(client.call(ONCE), 0, 1, 2));
    assertThat(client.entered).hasSize(1);
  }
}
