package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.Need;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.spi.Entropy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a busy loop has not got to is limited, whatever the machines would say of it later. */
@Timeout(60)
class HandedOverCallsTest {
  @Test
  void refusesACallWhenTheLoopHasTooManyBeforeIt() throws Exception {
    try (ClientLoops loops = ClientLoops.start(1);
        NettyClient client =
            NettyClient.connect(
                loops,
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)),
                ClientCredentials.open("town", "alice"),
                LinkLimits.standard(),
                PingTypes.ALL)) {
      ClientMachine pinger =
          client.start(
              new PingClient(Need.PING.thresholds(1, 0), 20_000_000L, Entropy.seeded(1)),
              event -> {});
      Survey survey = new Survey(Await.QUORUM, 1);
      CountDownLatch busy = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      pinger.later(
          0,
          () -> {
            busy.countDown();
            try {
              done.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
      busy.await();
      CompletableFuture<SurveyResult> first = pinger.call(survey);
      for (int i = 1; i < ClientMachine.MAX_HANDED_OVER; i++) {
        CompletableFuture<SurveyResult> unused = pinger.call(survey);
      }
      CompletableFuture<SurveyResult> tooMany = pinger.call(survey);
      assertThat(tooMany).isCompletedExceptionally();
      assertThatThrownBy(tooMany::join)
          .hasCauseInstanceOf(OverloadedException.class)
          .hasMessageContaining("calls that wait for the connections' thread");
      assertThat(first).isNotDone();
      done.countDown();
      assertThatThrownBy(first::join).hasMessageContaining("0 of 1 servers answered");
    }
  }
}
