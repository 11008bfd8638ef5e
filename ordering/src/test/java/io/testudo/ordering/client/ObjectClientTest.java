package io.testudo.ordering.client;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.MapObject;
import io.testudo.quorum.ServerId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
      return e.getCause();
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
}
