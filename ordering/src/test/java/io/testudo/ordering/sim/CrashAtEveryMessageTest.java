package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client that does two operations dies between any two messages, or all servers do at any
 * message. Whoever is alone then gets its work done in a few attempts, whatever the liar does.
 */
class CrashAtEveryMessageTest {
  private static final int FEW_ATTEMPTS = 12;
  private static final int MORE_THAN_ALL_MESSAGES = 120;

  /** What the liar does to the client that is alone. */
  enum Liar {
    SILENT,
    FORGETFUL,
    REFUSING
  }

  static Stream<Arguments> modesAndLiars() {
    List<Arguments> all = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      for (Liar liar : Liar.values()) {
        all.add(Arguments.of(mode, liar));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("modesAndLiars")
  void whoeverComesAfterADeadClientGetsOn(Mode mode, Liar liar) {
    int longest = 0;
    for (int messages = 0; messages < MORE_THAN_ALL_MESSAGES; messages++) {
      ByHand hand = new ByHand(mode, messages % 3);
      Client first = hand.submitter();
      longest = Math.max(longest, deliver(hand, first, messages));

      Client second = hand.submitter();
      getsOn(hand, second, liar);
      Client reader = hand.client();
      reader.read();
      reader.drive(hand.correct());
      assertThat(reader.reads).as("after %s messages", messages).hasSize(1);
    }
    assertThat(longest).isBetween(10, MORE_THAN_ALL_MESSAGES - 1); // The client did finish.
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void serversThatAllDieAtAnyMessageLetTheClientFinish(Mode mode) {
    for (int messages = 0; messages < MORE_THAN_ALL_MESSAGES; messages += 3) {
      ByHand hand = new ByHand(mode, messages % 3);
      Client first = hand.submitter();
      deliver(hand, first, messages);
      for (int role : hand.correct()) {
        hand.server(role).restart();
      }
      Client second = hand.submitter();
      getsOn(hand, first, Liar.SILENT);
      getsOn(hand, second, Liar.SILENT);
    }
  }

  /** Delivers one message after the other, and gives how many there were. */
  private static int deliver(ByHand hand, Client client, int most) {
    int delivered = 0;
    boolean submittedAgain = false;
    boolean moved = true;
    while (moved && delivered < most) {
      moved = false;
      for (Parcel request : List.copyOf(client.requests)) {
        if (request.role() < hand.liar && delivered < most && client.requests.contains(request)) {
          client.reach(request.message().getClass(), request.role());
          delivered++;
          moved = true;
        }
      }
      for (Parcel answer : List.copyOf(client.answers)) {
        if (delivered < most && client.answers.remove(answer)) {
          client.hear(answer.role(), answer.message());
          delivered++;
          moved = true;
        }
      }
      if (!submittedAgain && client.receipts.size() == 1) {
        submittedAgain = true;
        client.submit();
        moved = true;
      }
    }
    return delivered;
  }

  private static void getsOn(ByHand hand, Client client, Liar liar) {
    int wanted = client.receipts.isEmpty() ? 1 : client.receipts.size();
    for (int i = 0; i < FEW_ATTEMPTS && client.receipts.size() < wanted; i++) {
      lie(hand, client, liar);
      client.drive(hand.correct());
      if (client.receipts.size() < wanted) {
        client.beginAnew();
      }
    }
    assertThat(client.receipts).hasSizeGreaterThanOrEqualTo(wanted);
  }

  private static void lie(ByHand hand, Client client, Liar liar) {
    if (liar == Liar.SILENT || !client.hasUnderWay(Get.class)) {
      return;
    }
    Get get = client.last(Get.class);
    if (liar == Liar.FORGETFUL) {
      client.hear(hand.liar, ByHand.knowsNothing(get));
    } else {
      Rank higher = new Rank(get.rank().time() + 1_000_000, 1);
      client.hear(hand.liar, new Superseded(OBJECT, get.rank(), higher, get.seal()));
    }
  }
}
