package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.SigmaByHand.LOCK;
import static io.testudo.mutex.sim.SigmaByHand.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.sigma.Check;
import io.testudo.mutex.sigma.Inquiry;
import io.testudo.mutex.sigma.Request;
import io.testudo.mutex.sigma.Response;
import io.testudo.mutex.sigma.SigmaRelease;
import io.testudo.mutex.sigma.Yield;
import io.testudo.mutex.sim.SigmaByHand.Client;
import io.testudo.mutex.sim.SigmaByHand.Letter;
import io.testudo.mutex.sim.SigmaByHand.Server;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What must go on: lost letters, servers that are away or forget, queues that disagree. */
class SigmaProgressTest {
  private final SigmaByHand world = SigmaByHand.ofFour();

  private static boolean isMail(Letter letter) {
    return letter.number() > 0;
  }

  @Test
  void anUncontendedTurnTakesThreeMessagesForEachServer() {
    Client client = world.newClient("alone");
    client.acquire();
    int posted = world.deliver(SigmaProgressTest::isMail).size();
    posted += world.deliver(SigmaProgressTest::isMail).size();
    assertThat(client.holds()).isTrue();
    client.release();
    posted += world.deliver(SigmaProgressTest::isMail).size();

    assertThat(posted).isEqualTo(3 * 4);
    assertThat(world.mail).isEmpty();
  }

  @Test
  void aHandOffTakesOneRoundTripFromTheRelease() {
    Client first = world.newClient("first");
    Client next = world.newClient("next");
    first.acquire();
    world.run(5 * MILLI);
    next.acquire();
    world.run(5 * MILLI);
    first.release();
    world.deliver(letter -> letter.is(SigmaRelease.class));
    assertThat(next.holds()).isFalse();
    world.deliver(letter -> letter.is(Response.class));

    assertThat(next.holds()).isTrue();
    assertThat(next.sent(Yield.class) + next.sent(Inquiry.class)).isZero();
  }

  /** Figure 1 asks all servers again in every round trip. */
  @Test
  void oneWhoWaitsForAHolderDoesNotAskEveryRoundTrip() {
    Client holder = world.newClient("holder");
    Client waiter = world.newClient("waiter");
    holder.acquireForLong();
    world.run(5 * MILLI);
    waiter.acquire();
    world.run(5 * MILLI);
    long before = waiter.sent;
    world.run(1_000 * MILLI);

    // A thousand milliseconds are five hundred round trips, and a refresh is due every 60 ms.
    assertThat(waiter.sent - before).isLessThanOrEqualTo(4 * 17);
    assertThat(waiter.sent(Request.class)).isEqualTo(waiter.sent);
  }

  @Test
  void oneLostResponseHealsWithinACheckAndARoundTrip() {
    world.away.add(world.servers.get(3).id);
    Client client = world.newClient("client");
    client.acquire();
    world.deliver(letter -> letter.is(Request.class));
    world.lose(letter -> letter.isFrom(0));
    world.deliver(letter -> letter.is(Response.class));
    assertThat(client.holds()).isFalse();
    List<Letter> lost = new ArrayList<>();
    for (int i = 0; i < 52; i++) {
      lost.addAll(world.lose(letter -> letter.is(Request.class) || letter.is(Inquiry.class)));
      world.run(MILLI);
    }

    assertThat(client.holds()).as("it asked %d times in vain", lost.size()).isTrue();
  }

  @Test
  void theSameGrantIsShownAgainToOneWhoAsksAgain() {
    Client client = world.newClient("client");
    client.acquire();
    List<Letter> requests = world.deliver(letter -> letter.is(Request.class));
    List<Letter> first = world.lose(letter -> letter.is(Response.class));
    requests.forEach(world::deliver);
    List<Letter> again = world.lose(letter -> letter.is(Response.class));

    assertThat(again).extracting(Letter::message).isEqualTo(messages(first));
  }

  private static List<?> messages(List<Letter> letters) {
    return letters.stream().map(Letter::message).toList();
  }

  @Test
  void aServerThatForgotAllSaysSoAndIsAskedAgain() {
    Client holder = world.newClient("holder");
    Client waiter = world.newClient("waiter");
    holder.acquireForLong();
    world.run(5 * MILLI);
    waiter.acquire();
    world.run(5 * MILLI);
    world.servers.get(0).reset();
    world.run(200 * MILLI);

    assertThat(world.servers.get(0).isUnused()).isFalse();
    holder.release();
    world.run(20 * MILLI);
    assertThat(waiter.holds()).isTrue();
  }

  @Test
  void anInquiryIsAnsweredEvenWhereNobodyOwnsTheLock() {
    Client client = world.newClient("client");
    client.acquire();
    Request request = (Request) world.lose(letter -> letter.isTo(0)).get(0).message();
    Inquiry inquiry = new Inquiry(LOCK, request.contender(), request.time(), request.number());
    world.deliver(new Letter(client.id, world.servers.get(0).id, true, inquiry, 0));

    assertThat(world.lose(letter -> letter.isFrom(0)))
        .extracting(Letter::message)
        .singleElement()
        .isInstanceOfSatisfying(
            Response.class, response -> assertThat(response.owner().isNone()).isTrue());
  }

  @Test
  void resettingEveryServerInTurnLetsEveryWaiterFinish() {
    List<Client> all = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Client client = world.newClient("c" + i);
      all.add(client);
      client.acquire();
      world.run(MILLI);
    }
    int resets = 0;
    while (all.stream().anyMatch(client -> client.entered.isEmpty())) {
      assertThat(resets).as("resets while all wait").isLessThan(100);
      world.servers.get(resets++ % 4).reset();
      for (int i = 0; i < 4; i++) {
        world.run(20 * MILLI);
        all.stream().filter(Client::holds).forEach(Client::release);
      }
    }

    assertThat(resets).as("resets").isGreaterThanOrEqualTo(4);
  }

  @Test
  void goesOnWithAsManyServersAwayAsMayBeAndStopsWithOneMore() {
    world.away.add(world.servers.get(0).id);
    Client client = world.newClient("client");
    client.acquire();
    world.run(20 * MILLI);
    assertThat(client.holds()).isTrue();
    client.release();
    world.run(5 * MILLI);
    world.away.add(world.servers.get(1).id);
    Client other = world.newClient("other");
    other.acquire();
    world.run(2_000 * MILLI);

    assertThat(other.holds()).isFalse();
  }

  @Test
  void queuesThatDisagreeAreBroughtIntoOrderByYields() {
    List<Client> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Client client = world.newClient("c" + i);
      all.add(client);
      client.acquire();
      world.pass(MILLI);
    }
    for (int i = 0; i < 4; i++) { // Each server hears another one first.
      Client first = all.get(i);
      int server = i;
      world.deliver(letter -> letter.isOf(first) && letter.isTo(server));
    }
    world.run(30 * MILLI);

    assertThat(all.get(0).holds()).isTrue();
    assertThat(all.stream().mapToLong(client -> client.sent(Yield.class)).sum()).isPositive();
  }

  @Test
  void aTimedOutWaiterLeavesNothingAtAnyServer() {
    Client holder = world.newClient("holder");
    holder.acquire();
    world.run(5 * MILLI);
    Client waiter = world.newClient("waiter");
    waiter.call(Acquire.of(LOCK, 100 * MILLI, 20 * MILLI));
    List<Letter> slow = world.lose(letter -> letter.isTo(0));
    world.run(40 * MILLI);
    assertThat(waiter.failures).singleElement().isInstanceOf(NotAcquiredException.class);
    holder.release();
    world.run(5 * MILLI);
    slow.forEach(world::deliver); // What comes after its release comes too late.
    world.run(5 * MILLI);

    assertThat(world.servers).allSatisfy(server -> assertThat(server.isUnused()).isTrue());
    assertThat(waiter.entered).isEmpty();
  }

  @Test
  void tryingOnceFailsAtOnceWhenAnotherHoldsTheLock() {
    Client holder = world.newClient("holder");
    holder.acquire();
    world.run(5 * MILLI);
    Client other = world.newClient("other");
    other.call(Acquire.of(LOCK, 100 * MILLI, 0));
    world.run(3 * MILLI);

    assertThat(other.failures).singleElement().isInstanceOf(NotAcquiredException.class);
  }

  @Test
  void theReleaseOfAnOldEpochLeavesTheNewOneAlone() {
    Client client = world.newClient("client");
    long given = client.acquire();
    world.run(5 * MILLI);
    client.release();
    List<Letter> leaves = world.deliver(letter -> letter.is(SigmaRelease.class));
    assertThat(given).isPositive();
    client.acquire();
    world.run(5 * MILLI);
    leaves.forEach(world::deliver);
    world.run(5 * MILLI);

    assertThat(client.holds()).isTrue();
    assertThat(world.servers).allSatisfy(server -> assertThat(server.isOwnedBy(client)).isTrue());
  }

  @Test
  void aGrantToADeadEpochIsGivenBack() {
    Client client = world.newClient("client");
    long given = client.acquire();
    world.deliver(letter -> letter.is(Request.class));
    client.cancel(given);
    world.lose(letter -> letter.is(SigmaRelease.class)); // None of them arrives.
    world.run(60 * MILLI);

    assertThat(world.servers).allSatisfy(server -> assertThat(server.isUnused()).isTrue());
    assertThat(world.mail.stream().noneMatch(letter -> letter.is(Check.class))).isTrue();
  }

  @Test
  void aDeadHolderKeepsOthersOutForItsLeaseAndNoLonger() {
    Client holder = world.newClient("holder");
    holder.acquire();
    world.run(5 * MILLI);
    Client waiter = world.newClient("waiter");
    waiter.acquire();
    world.run(5 * MILLI);
    long leaseNanos =
        SigmaByHand.TIMING.serverLeaseNanos(SigmaByHand.TIMING.leaseNanos(100 * MILLI));
    for (long passed = 0; passed < leaseNanos + 20 * MILLI; passed += MILLI) {
      world.lose(letter -> letter.isOf(holder)); // It is dead.
      world.run(MILLI);
    }

    assertThat(waiter.entered).isNotEmpty();
    assertThat(waiter.last().token()).isGreaterThan(holder.last().token());
  }

  @Test
  void waitersThatDiedAreSkipped() {
    Client holder = world.newClient("holder");
    holder.acquireForLong();
    world.run(5 * MILLI);
    Client dead = world.newClient("dead");
    dead.acquire();
    world.run(5 * MILLI);
    Client waiter = world.newClient("waiter");
    waiter.acquire();
    for (int i = 0; i < 300; i++) {
      world.lose(letter -> letter.isOf(dead));
      world.run(MILLI);
    }
    holder.release();
    for (int i = 0; i < 10; i++) {
      world.lose(letter -> letter.isOf(dead));
      world.run(MILLI);
    }

    assertThat(waiter.holds()).isTrue();
    assertThat(world.servers).noneMatch(server -> server.isOwnedBy(dead));
  }

  @Test
  void aServerHasOneEntryForEachAndTheOwnerDoesNotWait() {
    Client holder = world.newClient("holder");
    holder.acquire();
    world.run(5 * MILLI);
    Client waiter = world.newClient("waiter");
    waiter.acquire();
    List<Letter> requests = world.deliver(letter -> letter.is(Request.class));
    requests.forEach(world::deliver);

    for (Server server : world.servers) {
      assertThat(server.view().queue()).hasSize(1);
      assertThat(server.isOwnedBy(holder)).isTrue();
    }
  }
}
