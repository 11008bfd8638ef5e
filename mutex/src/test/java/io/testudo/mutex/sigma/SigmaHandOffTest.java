package io.testudo.mutex.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps of a client in a long queue: seven servers, of which five must grant. */
class SigmaHandOffTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0, 60_000 * MILLI, 200 * MILLI, 1_000);

  private final SigmaClient client =
      new SigmaClient(
          SigmaProtocol.CRASHES.thresholds(7, 2),
          TIMING,
          SigmaTuning.standard(),
          Entropy.seeded(3));
  private final Map<ServerId, Request> requests = new HashMap<>();
  private final List<Message> sent = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private long nanos;

  private void step(Input<ServerId> input) {
    sent.clear();
    for (Effect<ServerId> effect : client.step(input, new Moment(nanos, 1_000 + nanos / MILLI))) {
      if (effect instanceof Effect.Send<ServerId> send) {
        sent.add(send.message());
        if (send.message() instanceof Request request) {
          requests.put(send.to(), request);
        }
      } else if (effect instanceof Effect.Complete<ServerId> complete
          && complete.result() instanceof Held entered) {
        held.add(entered);
      }
    }
  }

  @BeforeEach
  void ask() {
    step(new Input.Started<>(List.of()));
    step(new Input.Called<>(new CallId<Held>(1), Acquire.of("a", 100 * MILLI, Acquire.FOREVER)));
  }

  private void says(int server, Owner owner, boolean yours, long state) {
    Request request = Objects.requireNonNull(requests.get(new ServerId(server)));
    step(
        new Input.Received<>(
            new ServerId(server),
            new Response(
                "a",
                request.contender(),
                request.time(),
                owner,
                yours,
                new GrantId(server, state),
                yours ? 0 : 9,
                60_000 * MILLI,
                request.number(),
                yours ? request.number() : 0,
                yours ? request.time() : 0)));
  }

  private void grants(int server) {
    Request request = Objects.requireNonNull(requests.get(new ServerId(server)));
    says(server, new Owner(request.time(), 7, request.contender()), true, 2);
  }

  /** Three owners of the past look like a split: nobody could have five of seven. */
  private void hearOfThreeOwners() {
    for (int server = 0; server < 7; server++) {
      says(server, new Owner(10 + server % 3, server % 3, 0), false, 1);
    }
  }

  @Test
  void theFirstGrantMakesWhatWasHeardLongAgoOutOfDate() {
    hearOfThreeOwners();
    nanos = 1_000 * MILLI;
    for (int server = 0; server < 5; server++) {
      grants(server);
      assertThat(sent).noneMatch(Yield.class::isInstance);
    }
    assertThat(held).hasSize(1);
  }

  @Test
  void whatWasHeardAMomentAgoStillCounts() {
    hearOfThreeOwners();
    nanos = 1;
    grants(0);
    assertThat(sent).hasAtLeastOneElementOfType(Yield.class);
  }

  @Test
  void aGrantThatCrossedTheReleaseIsNotReleasedAgain() {
    for (int server = 0; server < 5; server++) {
      grants(server);
    }
    step(new Input.Called<>(new CallId<Boolean>(2), new ReleaseCall("a", held.get(0).token())));
    assertThat(sent).hasSize(7).hasOnlyElementsOfType(SigmaRelease.class);
    nanos = 20 * MILLI;
    grants(5);
    assertThat(sent).isEmpty();
    nanos = 20 * MILLI + 1;
    grants(6); // By now the server must have heard the release, if it was not lost.
    assertThat(sent).hasSize(1).hasOnlyElementsOfType(SigmaRelease.class);
  }
}
