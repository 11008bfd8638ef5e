package io.testudo.mutex.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two servers hear the same; one of them hears each message twice, and some of them later again.
 */
class RepeatedMessagesTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final long LEASE = TIMING.maxLeaseNanos();
  private static final String LOCK = "printer";

  private final SigmaServer once = server();
  private final SigmaServer twice = server();
  private final Map<Long, GrantId> grants = new HashMap<>();
  private final List<Sent> heard = new ArrayList<>();
  private long nanos;

  private record Sent(ClientId from, Message message) {}

  private static SigmaServer server() {
    SigmaServer made =
        new SigmaServer(TIMING, SigmaTuning.standard(), LockScope.everything(), Entropy.seeded(5));
    made.step(new Input.Started<>(List.of()), new Moment(0, 1_000_000));
    return made;
  }

  private List<Effect<ClientId>> step(SigmaServer server, Sent sent) {
    return server.step(
        new Input.Received<>(sent.from(), sent.message()), new Moment(nanos, 1_000_000));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyMessageDeliveredTwiceChangesNothing(long seed) {
    Entropy entropy = Entropy.seeded(seed);
    long[] times = {1, 2, 3, 4};
    long[] numbers = new long[4];
    for (int i = 0; i < 400; i++) {
      nanos += entropy.nextLong(MILLI / 10);
      int who = entropy.nextInt(4);
      ClientId from = new ClientId("c" + who, who, 0);
      if (entropy.chance(0.1)) {
        times[who] += 4;
        numbers[who] = 0;
      }
      Sent sent = new Sent(from, draw(entropy, times[who], ++numbers[who]));
      List<Effect<ClientId>> said = step(once, sent);
      step(twice, sent);
      step(twice, sent);
      noteGrants(said);
      heard.add(sent);
      // An old one again: nothing may come of it either.
      step(twice, heard.get(heard.size() - 1 - entropy.nextInt(Math.min(5, heard.size()))));

      assertThat(twice.view(LOCK)).as("after %s", sent).isEqualTo(once.view(LOCK));
    }
  }

  private Message draw(Entropy entropy, long time, long number) {
    GrantId grant = grants.getOrDefault(time, new GrantId(0, 1));
    return switch (entropy.nextInt(6)) {
      case 0, 1 -> new Request(LOCK, 0, time, LEASE, number);
      case 2 -> new Yield(LOCK, 0, time, grant, LEASE, number);
      case 3 -> new SigmaRelease(LOCK, 0, time, entropy.chance(0.5) ? time : SigmaRelease.UNUSED);
      case 4 -> new Inquiry(LOCK, 0, time, number);
      default -> new Confirm(LOCK, 0, time, grant, time + entropy.nextLong(10), LEASE, number);
    };
  }

  private void noteGrants(List<Effect<ClientId>> said) {
    for (Effect<ClientId> effect : said) {
      if (effect instanceof Effect.Send<ClientId> send
          && send.message() instanceof Response response
          && response.yours()) {
        grants.put(response.time(), response.grant());
      }
    }
  }
}
