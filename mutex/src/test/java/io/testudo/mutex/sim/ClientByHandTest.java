package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.ByHand.LEASE_NANOS;
import static io.testudo.mutex.sim.ByHand.MILLI;
import static io.testudo.mutex.sim.ByHand.SERVER_LEASE_NANOS;
import static io.testudo.mutex.sim.ByHand.TIMING;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Release;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.sim.ByHand.Client;
import io.testudo.mutex.sim.ByHand.Reply;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Suspicion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a client makes of grants, in schedules that chance rarely finds. */
class ClientByHandTest {
  private static final long HOLD_NANOS = TIMING.maxHoldNanos();
  private static final Acquire ONCE = Acquire.of("a", HOLD_NANOS, 0);
  private static final Acquire WAITING = Acquire.of("a", HOLD_NANOS, Acquire.FOREVER);

  private final ByHand hands = new ByHand();

  private static Try tried(List<Effect.Send<ServerId>> sent) {
    return (Try) sent.get(sent.size() - 1).message();
  }

  private static Free free(Try request, long number) {
    return new Free(request.lock(), request.contender(), request.time(), number);
  }

  @Test
  void entersWithEnoughGrantsAndNotWithOneLess() {
    Client client = hands.newClient(1);
    Try request = tried(client.call(ONCE));
    client.hear(0, free(request, 1));
    client.hear(1, free(request, 1));
    client.hear(1, free(request, 1));
    assertThat(client.entered).isEmpty();

    client.hear(2, free(request, 1));
    assertThat(client.entered).hasSize(1);
  }

  @Test
  void entersAtOnceThoughAsManyAsMayLieSayLocked() {
    for (Acquire wish : List.of(ONCE, WAITING)) {
      Client client = hands.newClient(1);
      Try request = tried(client.call(wish));
      client.hear(3, new Locked(request.time(), 1, Long.MAX_VALUE, SealedRank.NONE));
      client.hear(0, free(request, 1));
      client.hear(1, free(request, 1));
      client.hear(2, free(request, 1));
      assertThat(client.entered).hasSize(1);
      client.call(new ReleaseCall("a", request.time()));
      hands.checker.left(client.id, "a", request.time());
    }
  }

  @Test
  void doesNotEnterByGrantsThatComeAfterTheServersHaveFreedTheLock() {
    Client slow = hands.newClient(1);
    List<Reply> late = slow.reach(slow.call(ONCE), 0, 1, 2, 3);
    hands.pass(SERVER_LEASE_NANOS + 1);
    Client next = hands.newClient(1);
    next.hearAll(next.reach(next.call(ONCE), 0, 1, 2, 3));
    assertThat(next.entered).hasSize(1);

    slow.hearAll(late); // Its timers are as late as these.
    assertThat(slow.entered).isEmpty();
  }

  @Test
  void leavesBeforeItsServersMayGrantAgainHoweverTheClocksDrift() {
    hands.servers.forEach(server -> server.rate = 1 + TIMING.drift());
    Client slow = hands.newClient(1 - TIMING.drift());
    slow.hearAll(slow.reach(slow.call(ONCE), 0, 1, 2, 3));
    assertThat(slow.entered).hasSize(1);

    long freedNanos = (long) (SERVER_LEASE_NANOS / (1 + TIMING.drift())) + 2;
    hands.pass(freedNanos);
    Client next = hands.newClient(1);
    next.hearAll(next.reach(next.call(ONCE), 0, 1, 2, 3));
    assertThat(next.entered).hasSize(1);
  }

  @Test
  void countsTheHoldOfAWaiterFromTheRefreshThatItsServersKnew() {
    Client holder = hands.newClient(1);
    holder.hearAll(holder.reach(holder.call(ONCE), 0, 1, 2, 3));
    Client waiter = hands.newClient(1);
    waiter.hearAll(waiter.reach(waiter.call(WAITING), 0, 1, 2, 3));
    long token = holder.entered.get(0).token();
    hands.checker.left(holder.id, "a", token);
    holder.reach(holder.call(new ReleaseCall("a", token)), 0, 1, 2, 3); // Its grants are lost.
    // Refreshes make the servers repeat their grants, which last as long as they seem to.
    List<Reply> repeated = List.of();
    for (long waited = 0; waited < LEASE_NANOS; waited += TIMING.refreshNanos()) {
      hands.pass(TIMING.refreshNanos());
      repeated = waiter.reach(waiter.ring(), 0, 1, 2, 3);
    }
    assertThat(repeated).extracting(Reply::message).hasOnlyElementsOfType(Free.class).hasSize(4);
    waiter.hearAll(repeated);
    assertThat(waiter.entered).hasSize(1);

    hands.pass(SERVER_LEASE_NANOS - LEASE_NANOS + 1);
    Client early = hands.newClient(1);
    early.hearAll(early.reach(early.call(ONCE), 0, 1, 2, 3));
    assertThat(early.entered).isEmpty();
    hands.pass(LEASE_NANOS);
    Client next = hands.newClient(1);
    next.hearAll(next.reach(next.call(ONCE), 0, 1, 2, 3));
    assertThat(next.entered).hasSize(1);
  }

  @Test
  void countsARenewalOnlyWhereItArrived() {
    Client holder = hands.newClient(1);
    Acquire brief = Acquire.of("a", MILLI, 0);
    holder.hearAll(holder.reach(holder.call(brief), 0, 1, 2, 3));
    long token = holder.entered.get(0).token();
    // The long renewal is lost on its way to most servers, the short one behind it is not.
    List<Reply> longOnes = holder.reach(holder.call(new RenewCall("a", token, HOLD_NANOS)), 0);
    List<Reply> shortOnes =
        holder.reach(holder.call(new RenewCall("a", token, 2 * MILLI)), 0, 1, 2, 3);
    holder.hearAll(longOnes);
    holder.hearAll(shortOnes);
    assertThat(holder.answers).as("renewals that were answered").hasSizeGreaterThan(1);

    hands.pass(TIMING.serverLeaseNanos(TIMING.leaseNanos(2 * MILLI)) + 1);
    Client next = hands.newClient(1);
    next.hearAll(next.reach(next.call(ONCE), 1, 2, 3));
    assertThat(next.entered).hasSize(1);
  }

  @Test
  void givesBackAGrantOfAnAttemptThatIsOver() {
    Client client = hands.newClient(1);
    Try request = tried(client.call(ONCE));
    hands.pass(TIMING.windowNanos());
    client.ring();
    assertThat(client.answers).hasSize(1);

    assertThat(client.hear(2, free(request, 1)))
        .containsExactly(
            new Effect.Send<>(
                new ServerId(2), new Release("a", request.contender(), request.time())));
    assertThat(client.entered).isEmpty();
  }

  @Test
  void doesNotCountGrantsOfAnotherAttemptOrLockOrOfARequestItNeverMade() {
    Client client = hands.newClient(1);
    Try request = tried(client.call(ONCE));
    client.hear(0, new Free("a", request.contender(), request.time() + 1, 1));
    client.hear(1, new Free("b", request.contender(), request.time(), 1));
    client.hear(2, free(request, 2));
    assertThat(client.told).hasSize(1).first().isInstanceOf(Suspicion.class);
    client.hear(3, free(request, 1));
    assertThat(client.entered).isEmpty();
  }

  @Test
  void tellsTheLossOfALeaseAtItsEnd() {
    Client client = hands.newClient(1);
    client.hearAll(client.reach(client.call(ONCE), 0, 1, 2, 3));
    hands.pass(LEASE_NANOS - 2 * MILLI);
    client.ring();
    assertThat(client.told).isEmpty();
    hands.pass(2 * MILLI);
    client.ring();
    assertThat(client.told).containsExactly(new LeaseLost("a", client.entered.get(0).token()));
  }

  @Test
  void letsAWaiterInWhenTheLeaseOfADeadHolderIsOver() {
    Client dead = hands.newClient(1);
    dead.hearAll(dead.reach(dead.call(ONCE), 0, 1, 2, 3));
    hands.checker.died(dead.id);
    Client waiter = hands.newClient(1);
    waiter.hearAll(waiter.reach(waiter.call(WAITING), 0, 1, 2, 3));
    for (long waited = 0; waited < SERVER_LEASE_NANOS; waited += TIMING.refreshNanos()) {
      assertThat(waiter.entered).isEmpty();
      hands.pass(TIMING.refreshNanos());
      waiter.hearAll(waiter.reach(waiter.ring(), 0, 1, 2, 3));
    }
    assertThat(waiter.entered).hasSize(1);
  }
}
