package io.testudo.quorum.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.ClientHalf;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.spi.Entropy;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose process is killed while it answers. */
@Timeout(180)
class KilledServerTest {
  private static final ServerId S0 = new ServerId(0);
  private static final int KILLS = 3;
  private static final Survey SURVEY = new Survey(Await.ALL, SECONDS.toNanos(60));

  @TempDir private Path directory;

  @Test
  void losesNothingItHasPromisedAndTheSameClientFindsItAgain() throws Exception {
    Path keys = directory.resolve("s0.keys");
    Path data = directory.resolve("data");
    try (ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom())) {
      secrets.serverKeyring("town", S0).write(keys);
      ServerChild server = ServerChild.start(keys, data, 0);
      try (NettyClient client =
          NettyClient.connect(
              List.of(server.address()),
              ClientCredentials.hmac(secrets.clientKeyring("town", "alice", 1, Set.of())),
              LinkLimits.standard(),
              PingTypes.ALL)) {
        ClientHalf alice =
            client.start(
                new PingClient(Need.PING.thresholds(1, 0), 20_000_000L, Entropy.seeded(1)),
                event -> {});
        for (long start = 1; start <= KILLS; start++) {
          alice.call(SURVEY).join();
          ServerView view = alice.call(SURVEY).join().of(S0);
          assertThat(view.claimed()).isEqualTo(start);
          assertThat(view.vouched()).isEqualTo(start);

          CompletableFuture<SurveyResult> underWay = alice.call(SURVEY);
          server.close();
          server = ServerChild.start(keys, data, server.address().getPort());
          assertThat(underWay.join().of(S0).claimed()).isBetween(start, start + 1);
        }
      } finally {
        server.close();
      }
    }
  }
}
