package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.SigmaByHand.MILLI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.mutex.sigma.Confirm;
import io.testudo.mutex.sigma.Request;
import io.testudo.mutex.sigma.Response;
import io.testudo.mutex.sigma.SigmaRelease;
import io.testudo.mutex.sigma.Yield;
import io.testudo.mutex.sim.SigmaByHand.Client;
import io.testudo.mutex.sim.SigmaByHand.Letter;
import io.testudo.quorum.sim.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Schedules against which Sigma must exclude, letter by letter, on four servers of which m=3. */
class SigmaTracesTest {
  private final SigmaByHand world = SigmaByHand.ofFour();

  /**
   * No server crashes here. The same schedule lets two in where a server takes a YIELD without
   * looking at the grant that it names (lines 36 to 41 of Figure 1).
   */
  @Test
  void aYieldThatIsDeliveredTwiceLetsNoSecondOneIn() {
    Client early = world.newClient("early");
    Client middle = world.newClient("middle");
    Client late = world.newClient("late");
    early.acquire(); // All its requests are slow.
    world.pass(MILLI);
    long given = middle.acquire();
    world.deliver(letter -> letter.isOf(middle) && (letter.isTo(0) || letter.isTo(3)));
    world.lose(letter -> letter.isOf(middle) && letter.is(Request.class));
    world.pass(MILLI);
    late.acquire();
    world.deliver(letter -> letter.isOf(late) && letter.is(Request.class));
    world.deliver(letter -> letter.isOf(late) && letter.is(Response.class));

    // Two and two: it yields, is alone in those queues, and has both again.
    List<Letter> yields = world.deliver(letter -> letter.isOf(late) && letter.is(Yield.class));
    assertThat(yields).hasSize(2);
    middle.cancel(given);
    world.deliver(letter -> letter.isOf(middle) && letter.is(SigmaRelease.class) && letter.isTo(3));
    world.deliver(letter -> letter.isOf(late) && letter.isFrom(3));
    world.deliver(letter -> letter.isOf(late) && letter.is(Response.class));
    assertThat(late.holds()).isTrue();

    world.deliver(letter -> letter.isOf(early) && letter.is(Request.class));
    world.deliver(letter -> letter.isOf(middle) && letter.is(SigmaRelease.class));
    assertThat(world.servers.get(0).isOwnedBy(early)).isTrue();
    yields.forEach(world::deliver); // A reconnect has sent them again.
    world.deliver(letter -> letter.isOf(early));

    assertThat(world.servers.get(1).isOwnedBy(late)).isTrue();
    assertThat(world.servers.get(2).isOwnedBy(late)).isTrue();
    assertThat(early.holds()).isFalse();
    late.release();
    world.run(20 * MILLI);
    assertThat(early.holds()).isTrue();
  }

  /** A holder with just three grants, and a contender that reaches all. */
  private Client enterWithThree() {
    Client holder = world.newClient("holder");
    holder.acquire();
    world.lose(letter -> letter.isTo(3));
    world.deliver(letter -> true);
    world.deliver(letter -> true);
    assertThat(holder.holds()).isTrue();
    return holder;
  }

  @Test
  void resetsBelowTheBoundNeverLetASecondOneIn() {
    Client holder = enterWithThree();
    world.servers.get(0).reset();
    Client other = world.newClient("other");
    other.acquire();
    world.run(20 * MILLI);

    assertThat(world.servers.get(0).isOwnedBy(other)).isTrue();
    assertThat(other.holds()).isFalse();
    assertThat(holder.holds()).isTrue();
  }

  @Test
  void resetsAtTheBoundLetASecondOneInAndTheCheckerSeesIt() {
    enterWithThree();
    world.servers.get(0).reset();
    world.servers.get(1).reset();
    world.newClient("other").acquire();

    assertThatExceptionOfType(Violation.class)
        .isThrownBy(() -> world.run(20 * MILLI))
        .withMessageContaining("two hold");
  }

  @Test
  void withQuarantineAnyNumberOfResetsLetsNoSecondOneIn() {
    SigmaByHand quiet = new SigmaByHand(4, 1, SigmaByHand.TUNING.withQuarantine(true));
    Client early = quiet.newClient("early");
    early.acquire();
    quiet.run(20 * MILLI);
    assertThat(early.holds()).as("all servers have just started").isFalse();
    long muteNanos = SigmaByHand.TIMING.serverLeaseNanos(SigmaByHand.TIMING.maxLeaseNanos());
    quiet.run(muteNanos + 100 * MILLI);
    assertThat(early.entered).isNotEmpty();
    quiet.run(300 * MILLI); // Its lease is over by now.

    Client holder = quiet.newClient("holder");
    holder.acquire();
    quiet.run(20 * MILLI);
    assertThat(holder.holds()).isTrue();
    quiet.servers.forEach(SigmaByHand.Server::reset);
    Client other = quiet.newClient("other");
    other.acquire();
    quiet.run(muteNanos - 10 * MILLI);
    assertThat(other.entered).isEmpty();
    quiet.run(200 * MILLI);
    assertThat(other.entered).isNotEmpty();
  }

  @Test
  void aHolderThatKnowsOfTooManyResetsStepsDownBeforeAnotherEnters() {
    Client holder = world.newClient("holder");
    holder.acquireForLong();
    world.run(10 * MILLI);
    assertThat(holder.holds()).isTrue();
    // It hears of both with its next renewal, and asks again before anybody else comes.
    world.servers.get(0).reset();
    world.servers.get(1).reset();
    Client other = world.newClient("other");
    other.acquire();
    world.lose(letter -> letter.isOf(other) && (letter.isTo(2) || letter.isTo(3)));
    world.run(60 * MILLI);

    assertThat(holder.lost).isNotEmpty();
  }

  @Test
  void aHolderComesBackToAServerThatForgotIt() {
    Client holder = world.newClient("holder");
    holder.acquireForLong();
    world.run(10 * MILLI);
    for (SigmaByHand.Server server : world.servers) {
      server.reset();
      world.run(60 * MILLI);
      assertThat(server.isOwnedBy(holder)).isTrue();
    }
    world.run(500 * MILLI);

    assertThat(holder.holds()).isTrue();
    assertThat(holder.lost).isEmpty();
  }

  @Test
  void tokensGrowAlthoughAnEarlierRequestIsServedLater() {
    Client early = world.newClient("early");
    Client late = world.newClient("late");
    early.acquire(); // Slow again.
    List<Letter> slow = world.lose(letter -> letter.isOf(early));
    world.pass(MILLI);
    late.acquire();
    world.run(5 * MILLI);
    assertThat(late.holds()).isTrue();
    late.release();
    slow.forEach(world::deliver);
    world.run(20 * MILLI);

    assertThat(early.holds()).isTrue();
    assertThat(early.last().token()).isGreaterThan(late.last().token());
    assertThat(early.sent(Confirm.class)).as("all servers knew the token").isZero();
  }

  @Test
  void aServerThatForgotTheTokensLearnsThemBeforeItsGrantCounts() {
    Client early = world.newClient("early");
    early.acquire();
    List<Letter> slow = world.lose(letter -> letter.isOf(early));
    world.pass(MILLI);
    Client late = world.newClient("late");
    late.acquire();
    world.run(5 * MILLI);
    late.release();
    world.run(5 * MILLI);
    world.servers.get(0).reset();
    world.away.add(world.servers.get(3).id); // So the one that forgot is needed.
    slow.forEach(world::deliver);
    world.run(20 * MILLI);

    assertThat(early.holds()).isTrue();
    assertThat(early.last().token()).isGreaterThan(late.last().token());
    assertThat(early.sent(Confirm.class)).isPositive();
  }
}
