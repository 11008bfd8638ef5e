package io.testudo.ordering.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.ordering.objects.LogObject;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that have no room say so, and whoever waits learns it long before its time is over. */
@Timeout(180)
class NoRoomTest {
  private static final ObjectBackend BACKEND = ObjectBackend.standard();
  private static final int SERVERS = 4;
  private static final int ROOM = 256 << 10;
  private static final SecretBytes KEY = SecretBytes.random(new SecureRandom());
  private static final Duration FOR_EVER = Duration.ofHours(1);

  private static List<Machine<ClientId>> machines(ServerId self) {
    OrderingServer.Settings small =
        new OrderingServer.Settings(OrderingServer.COURTESY_NANOS, ROOM);
    return List.of(
        new OrderingServer(BACKEND.mode(), Enrolment.FOUNDING, small),
        BACKEND.locks().serverMachine(LockScope.everything(), Entropy.seeded(1)));
  }

  private static void assertRefused(CompletableFuture<Long> appended, String why) {
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(appended::join)
        .havingCause()
        .isInstanceOfSatisfying(
            UnknownOutcomeException.class,
            refused -> assertThat(refused.reasons().values()).isNotEmpty().containsOnly(why));
  }

  private static boolean succeeds(CompletableFuture<Long> appended) {
    return appended.handle((position, failure) -> failure == null).join();
  }

  @Test
  void isToldToWhoeverWaits() {
    try (EmbeddedCluster servers =
            EmbeddedCluster.start(SERVERS, BACKEND.types(), NoRoomTest::machines);
        ObjectClient client =
            ObjectClient.on(servers.client("alice"), SERVERS, 1)
                .backend(BACKEND)
                .seals(ObjectSeals.group("embedded", Map.of("", KEY)))
                .timeout(FOR_EVER)
                .closesConnections()
                .build()) {
      LogObject log = LogObject.open(client, "log");
      assertThat(log.append("short").join()).isZero();
      assertRefused(
          log.append("x".repeat(200 << 10)),
          "has no room for more of the objects of the principal that made this one");
      CompletableFuture<Long> appended = CompletableFuture.completedFuture(0L);
      for (int i = 0; i < ROOM / 1_000 && succeeds(appended); i++) {
        appended = LogObject.open(client, "object " + i).append("short");
      }
      assertRefused(appended, "has no room for another object of this principal");
    }
  }
}
