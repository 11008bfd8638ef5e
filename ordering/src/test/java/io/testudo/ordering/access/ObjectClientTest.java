package io.testudo.ordering.access;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.Lease;
import io.testudo.mutex.client.LockClient;
import io.testudo.ordering.OperationId;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.LogObject;
import io.testudo.ordering.objects.MapObject;
import io.testudo.ordering.objects.QueueObject;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.netty.NettyClient;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects over real sockets. */
@Timeout(60)
class ObjectClientTest {
  @AutoClose private final ObjectCluster cluster = ObjectCluster.start(4, 1);
  @AutoClose private final ObjectClient client = cluster.client("alice");

  static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(30, SECONDS);
  }

  static Throwable failure(CompletableFuture<?> future) throws Exception {
    try {
      throw new AssertionError("it was answered: " + future.get(30, SECONDS));
    } catch (ExecutionException e) {
      return Objects.requireNonNull(e.getCause());
    }
  }

  @Test
  void countsAndReads() throws Exception {
    CounterObject counter = CounterObject.open(client, "visits");
    assertThat(get(counter.get())).isZero();
    assertThat(get(counter.increment())).isEqualTo(1);
    assertThat(get(counter.increment(5))).isEqualTo(6);
    assertThat(get(counter.get())).isEqualTo(6);
    assertThat(get(counter.set(40))).isEqualTo(6);
    assertThat(get(counter.compareAndSet(6, 7))).isFalse();
    assertThat(get(counter.compareAndSet(40, 41))).isTrue();
    try (ObjectClient other = cluster.client("bob")) {
      assertThat(get(CounterObject.open(other, "visits").get())).isEqualTo(41);
      assertThat(get(CounterObject.open(other, "visits").increment())).isEqualTo(42);
    }
    assertThat(get(counter.get())).isEqualTo(42);
  }

  @Test
  void keepsTheOrderOfTheCallsOfOneThread() throws Exception {
    CounterObject counter = CounterObject.open(client, "visits");
    List<CompletableFuture<Long>> answers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      answers.add(counter.increment());
    }
    for (int i = 0; i < 200; i++) {
      assertThat(get(answers.get(i))).isEqualTo(i + 1);
    }
  }

  @Test
  void goesOnWhileAServerRestarts() throws Exception {
    MapObject map = MapObject.open(client, "capitals");
    get(map.put("Italia", "Roma"));
    cluster.stop(new ServerId(2));
    get(map.put("Gallia", "Lugdunum"));
    cluster.restart(new ServerId(2));
    cluster.stop(new ServerId(0));
    get(map.put("Aegyptus", "Alexandria"));
    assertThat(get(map.size())).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void hasTheOperationsOfManyClientsDoneOnceInEveryMode(Mode mode) throws Exception {
    ObjectBackend backend = new ObjectBackend(mode);
    try (ObjectCluster servers = ObjectCluster.start(mode.need().leastServers(1), 1, backend)) {
      List<CompletableFuture<Long>> answers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        CounterObject counter = CounterObject.open(servers.client("client" + i), "visits");
        for (int j = 0; j < 25; j++) {
          answers.add(counter.increment());
        }
      }
      Set<Long> results = new TreeSet<>();
      for (CompletableFuture<Long> answer : answers) {
        results.add(get(answer));
      }
      assertThat(results).hasSize(100).contains(1L, 100L);
    }
  }

  @Test
  void givesLargeResultsOfOneBatchToTheirSubmitter() throws Exception {
    QueueObject queue = QueueObject.open(client, "jobs");
    Bytes large = Bytes.copyOf(new byte[200 << 10]);
    for (int i = 0; i < 5; i++) {
      get(queue.add(large));
    }
    List<CompletableFuture<Optional<Bytes>>> polls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      polls.add(queue.poll());
    }
    for (int i = 0; i < 5; i++) {
      assertThat(get(polls.get(i))).contains(large);
    }
    assertThat(get(polls.get(5))).isEmpty();
  }

  @Test
  void leavesTheObjectUsableWhenAClientDiesInTheMiddle() throws Exception {
    for (int i = 0; i < 5; i++) {
      ObjectClient dying = cluster.client("mallory");
      LogObject log = LogObject.open(dying, "log");
      get(log.append("begins " + i));
      List<CompletableFuture<Long>> lost = new ArrayList<>();
      for (int j = 0; j < 20; j++) {
        lost.add(log.append("lost " + j));
      }
      dying.close();
      for (CompletableFuture<Long> append : lost) {
        boolean ended = get(append.handle((place, error) -> place != null || error != null));
        assertThat(ended).isTrue();
      }
    }
    LogObject log = LogObject.open(client, "log");
    long place = get(log.append("survives"));
    assertThat(get(log.read(place, 1))).containsExactly(Bytes.utf8("survives"));
    assertThat(get(log.read(0, 1))).containsExactly(Bytes.utf8("begins 0"));
  }

  @Test
  void findsEverythingAgainAfterARestartOfAllServers(@TempDir Path directory) throws Exception {
    ObjectBackend backend = ObjectBackend.standard();
    OperationId id;
    try (ObjectCluster first = ObjectCluster.startIn(directory, 4, 1, backend);
        ObjectClient writer = first.client("alice")) {
      id =
          get(CounterObject.open(writer, "visits").object().submitTraced(CounterObject.ADD, 7L))
              .id();
    }
    try (ObjectCluster second = ObjectCluster.startIn(directory, 4, 1, backend);
        ObjectClient reader = second.client("bob")) {
      CounterObject counter = CounterObject.open(reader, "visits");
      assertThat(get(counter.get())).isEqualTo(7);
      assertThat(get(counter.object().outcomeOf(id, CounterObject.ADD)).orElseThrow().result())
          .isEqualTo(7);
      assertThat(get(counter.increment())).isEqualTo(8);
    }
  }

  @Test
  void sharesItsConnectionsWithLocks() throws Exception {
    NettyClient connections = cluster.embedded().client("carol");
    try (ObjectClient objects = cluster.prepareClient(connections).build();
        LockClient locks = cluster.prepareLocks(connections).build();
        Lease lease = locks.lock("printer").acquire()) {
      assertThat(get(CounterObject.open(objects, "pages").increment())).isEqualTo(1);
      assertThat(lease.isHeld()).isTrue();
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> cluster.prepareClient(connections).build())
        .withMessageContaining("have or had an object client");
  }

  @Test
  void toleratesAServerThatLiesAboutEverything() throws Exception {
    ObjectBackend backend = ObjectBackend.standard();
    try (EmbeddedCluster servers =
            EmbeddedCluster.start(
                4,
                backend.types(),
                id -> id.index() == 3 ? List.of(new LyingServer()) : backend.serverMachines(id));
        SecretBytes key = SecretBytes.random(new SecureRandom());
        ObjectClient liedTo =
            ObjectClient.on(servers.client("alice"), 4, 1)
                .backend(backend)
                .seals(ObjectSeals.group("town", Map.of("", key)))
                .closesConnections()
                .build()) {
      CounterObject counter = CounterObject.open(liedTo, "visits");
      for (int i = 1; i <= 20; i++) {
        assertThat(get(counter.increment())).isEqualTo(i);
        assertThat(get(counter.get())).isEqualTo(i);
      }
      assertThat(get(counter.getStale())).isBetween(0L, 20L);
      assertThat(liedTo.suspicions()).containsOnlyKeys(new ServerId(3));
    }
  }

  @Test
  void sealsWithTheKeyOfThePrefixAndRefusesNamesOutsideOfIt() throws Exception {
    try (SecretBytes key = SecretBytes.random(new SecureRandom());
        ObjectClient alice =
            cluster
                .prepareClient("alice")
                .seals(ObjectSeals.group("town", Map.of("shop/", key)))
                .build();
        ObjectClient bob =
            cluster
                .prepareClient("bob")
                .seals(ObjectSeals.group("town", Map.of("shop/", key, "sh", otherKey())))
                .build()) {
      // At the same time, so that they contend for the lock of the object, too.
      List<CompletableFuture<Long>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        answers.add(CounterObject.open(alice, "shop/till").increment());
        answers.add(CounterObject.open(bob, "shop/till").increment());
      }
      for (CompletableFuture<Long> answer : answers) {
        assertThat(get(answer)).isPositive();
      }
      assertThat(get(CounterObject.open(alice, "shop/till").get())).isEqualTo(40);
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(() -> get(CounterObject.open(alice, "bank/vault").increment()))
          .withCauseInstanceOf(NotAllowedException.class);
    }
  }

  private static SecretBytes otherKey() {
    return SecretBytes.random(new SecureRandom());
  }

  @Test
  void needsAsManyServersAsItsMode() {
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> ObjectCluster.start(6, 1, new ObjectBackend(Mode.PLAIN)))
        .withMessageContaining("needs 7 servers");
  }
}
