package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.VirtualCluster.MILLI;
import static io.testudo.mutex.sim.VirtualCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.Check;
import io.testudo.mutex.sigma.Response;
import io.testudo.mutex.sigma.SigmaClient;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.mutex.sigma.SigmaServer;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.mutex.sim.VirtualCluster.Answers;
import io.testudo.mutex.sim.VirtualCluster.Contender;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No single server's fences keep anybody out of the hardened Sigma, nor do slow messages. */
class SigmaFenceTest {
  private static final LockTiming TIMING = LockTiming.standard();
  private static final Thresholds THRESHOLDS = SigmaProtocol.HARDENED.thresholds(4, 1);

  private long servers;
  private final VirtualCluster cluster =
      new VirtualCluster(
          4,
          () ->
              new SigmaServer(
                  TIMING,
                  SigmaTuning.standard(),
                  LockScope.everything(),
                  Entropy.seeded(100 + servers++)));
  private final List<Contender> contenders = new ArrayList<>();
  private long raised;

  private List<Contender> contend(int count) {
    for (int i = 1; i <= count; i++) {
      SigmaClient client =
          new SigmaClient(THRESHOLDS, TIMING, SigmaTuning.standard(), Entropy.seeded(i));
      contenders.add(
          cluster.new Contender(new ClientId("c" + i, i, 1), client, "a", 10 * SECOND, 50 * MILLI)
              .begin(i * MILLI));
    }
    return contenders;
  }

  private Message withFence(Response it, long fence) {
    return new Response(
        it.lock(),
        it.contender(),
        it.time(),
        it.owner(),
        true,
        it.grant(),
        it.position(),
        it.waitNanos(),
        it.echo(),
        it.leased(),
        fence);
  }

  /** Its fence is higher in each answer, and it answers again and again, unasked. */
  private Answers rising() {
    return (to, asked, honest) -> {
      List<Message> said = new ArrayList<>();
      for (Message message : honest) {
        if (message instanceof Response it && it.yours()) {
          for (int i = 0; i < 200; i++) {
            said.add(withFence(it, it.fence() + 1_000 * ++raised));
          }
        } else if (message instanceof Check it) {
          said.add(
              new Check(
                  it.lock(),
                  it.contender(),
                  it.time(),
                  it.grant(),
                  it.echo(),
                  it.leased(),
                  it.fence() + 1_000 * ++raised));
        } else {
          said.add(message);
        }
      }
      return said;
    };
  }

  @Test
  void oneServerThatRaisesItsFenceKeepsNobodyOut() {
    contend(3);
    cluster.servers.get(3).lies(rising());
    cluster.run(120 * SECOND);
    assertThat(contenders).allMatch(each -> each.entries > 50);
    assertThat(contenders).allMatch(each -> each.longestWaitNanos() < 20 * SECOND);
    assertThat(cluster.servers.get(0).heard)
        .as("messages to a server, entries")
        .isLessThan(30 * cluster.checker.entries());
  }

  @Test
  void oneServerThatNeverConfirmsKeepsNobodyOut() {
    contend(3);
    cluster
        .servers
        .get(3)
        .lies(
            (to, asked, honest) ->
                honest.stream()
                    .map(it -> it instanceof Response say && say.yours() ? withFence(say, 1) : it)
                    .toList());
    cluster.run(120 * SECOND);
    assertThat(contenders).allMatch(each -> each.entries > 50);
    assertThat(contenders).allMatch(each -> each.longestWaitNanos() < 20 * SECOND);
  }

  @Test
  void everybodyEntersThoughMessagesAreManyTimesSlowerThanTheyShouldBe() {
    contend(5);
    long slowest = 8 * TIMING.delayNanos();
    cluster.delay(entropy -> slowest / 4 + entropy.nextLong(slowest));
    cluster.run(600 * SECOND);
    assertThat(contenders).allMatch(each -> each.entries > 5);
    assertThat(contenders).allMatch(each -> each.longestWaitNanos() < 200 * SECOND);
  }
}
