package io.testudo.ordering.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Entries of maps that end, by a clock that the test sets. */
class MapExpiryTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private long nowMillis = 1_000_000;
  private final MapOperations operations = new MapOperations(() -> Instant.ofEpochMilli(nowMillis));
  private MapState map = operations.type.initial();

  /** How many bytes the last operation sent to others. */
  private int deltaBytes;

  private <A, R> R act(Operation<MapState, A, R> operation, A argument) {
    Operation.Step<MapState, R> step = operation.apply(map, argument);
    if (step.changed()) {
      // Whoever does it again may have any clock.
      long realMillis = nowMillis;
      nowMillis += 7_777_777;
      MapState again = operation.replay(map, step.delta().orElseThrow());
      nowMillis = realMillis;
      assertThat(operations.type.encode(again)).isEqualTo(operations.type.encode(step.after()));
      deltaBytes = step.delta().orElseThrow().size();
    }
    operations.type.checkSize(step.after());
    map = step.after();
    return step.result();
  }

  private static Bytes bytes(String text) {
    return Bytes.utf8(text);
  }

  private MapTransaction.Result transact(java.util.function.Consumer<MapTransaction.Actions> list) {
    return transaction().then(list).submit().join();
  }

  private MapTransaction transaction() {
    return new MapTransaction(
        request ->
            java.util.concurrent.CompletableFuture.completedFuture(
                act(operations.transact, request)));
  }

  private void putAll(String key, String value) {
    act(
        operations.putAll,
        ImmutableList.of(new MapObject.Entry(bytes(key), Optional.of(bytes(value)))));
  }

  private Optional<String> get(String key) {
    return map.get(bytes(key), nowMillis).map(Bytes::toText);
  }

  @Test
  void endForReadersAndForOperations() {
    transact(list -> list.put("a", "1", SECOND).put("b", "2", SECOND.multipliedBy(2)));
    nowMillis += 999;
    assertThat(get("a")).contains("1");
    assertThat(map.size(nowMillis)).isEqualTo(2);
    nowMillis++;
    assertThat(get("a")).isEmpty();
    assertThat(get("b")).contains("2");
    assertThat(map.size(nowMillis)).isEqualTo(1);
    assertThat(transaction().ifAbsent("a").ifPresent("b").submit().join().succeeded()).isTrue();
    assertThat(transact(list -> list.get("a").get("b")).value("a")).isEmpty();
    MapState before = map;
    assertThat(
            act(
                operations.compareAndSet,
                new MapObject.Swap(bytes("a"), Optional.of(bytes("1")), Optional.empty())))
        .isFalse();
    assertThat(
            act(
                operations.compareAndSet,
                new MapObject.Swap(bytes("a"), Optional.empty(), Optional.of(bytes("3")))))
        .isTrue();
    map = before;
    assertThat(act(operations.getAndPut, new MapObject.Entry(bytes("a"), Optional.of(bytes("3")))))
        .isEmpty();
    map = before;
    assertThat(act(operations.remove, bytes("a"))).isFalse();
    assertThat(map.holds(bytes("a"))).isFalse();
    map = before;
    assertThat(act(operations.clear, Nothing.NOTHING)).isEqualTo(1);
    assertThat(map.hasDeadlines()).isFalse();
  }

  @Test
  void areRenewedKeptAndMadeToStay() {
    transact(list -> list.put("renewed", "1", SECOND).put("kept", "1", SECOND));
    transact(list -> list.put("staying", "1", SECOND).put("put", "1", SECOND).put("late", "1"));
    nowMillis += 500;
    transact(list -> list.renew("renewed", SECOND).putKeepingExpiry("kept", "2"));
    transact(list -> list.persist("staying").renew("late", SECOND).putKeepingExpiry("new", "1"));
    putAll("put", "2");
    assertThat(map.expiry(bytes("kept"))).contains(Instant.ofEpochMilli(1_001_000));
    nowMillis += 500;
    assertThat(get("renewed")).contains("1");
    assertThat(get("kept")).isEmpty();
    assertThat(get("staying")).contains("1");
    assertThat(get("put")).contains("2");
    assertThat(get("late")).contains("1");
    assertThat(get("new")).contains("1");
    nowMillis += 500;
    assertThat(get("renewed")).isEmpty();
    assertThat(get("late")).isEmpty();
    assertThat(map.expiry(bytes("new"))).isEmpty();
    // What has ended can be renewed by nobody, though it is still kept.
    assertThat(map.holds(bytes("late"))).isTrue();
    transact(list -> list.renew("late", SECOND).persist("late").putKeepingExpiry("kept", "3"));
    assertThat(get("late")).isEmpty();
    assertThat(map.expiry(bytes("kept"))).isEmpty();
  }

  @Test
  void areRemovedByLaterOperationsAFewAtATime() {
    int many = 3 * MapOperations.ENDED_AT_ONCE;
    for (int i = 0; i < many; i++) {
      String key = "key" + i;
      transact(list -> list.put(key, "v", SECOND));
    }
    transact(list -> list.put("later", "v", Duration.ofHours(1)));
    nowMillis += 1_000;
    assertThat(map.size(nowMillis)).isEqualTo(1);
    putAll("other", "x");
    assertThat(map.size(0)).isEqualTo(many - MapOperations.ENDED_AT_ONCE + 2);
    transact(list -> list.put("other", "y"));
    assertThat(map.size(0)).isEqualTo(many - 2 * MapOperations.ENDED_AT_ONCE + 2);
    assertThat(act(operations.purge, Nothing.NOTHING)).isEqualTo(MapOperations.ENDED_AT_ONCE);
    assertThat(map.size(0)).isEqualTo(2);
    assertThat(get("later")).contains("v");
    assertThat(act(operations.purge, Nothing.NOTHING)).isZero();
  }

  @Test
  void makeRoomAsSoonAsTheyHaveEnded() {
    Bytes value = Bytes.copyOf(new byte[10_000]);
    for (int i = 0; i < 150; i++) {
      Bytes key = bytes("key" + i);
      transact(list -> list.put(key, value, SECOND));
    }
    Bytes large = Bytes.copyOf(new byte[700_000]);
    assertThatExceptionOfType(ValueTooLargeException.class)
        .isThrownBy(() -> transact(list -> list.put(bytes("large"), large)));
    nowMillis += 1_000;
    transact(list -> list.put(bytes("large"), large));
    assertThat(map.bytes()).isLessThanOrEqualTo(ObjectLimits.MAX_STATE_BYTES);
    assertThat(map.size(0)).as("no more than it took").isGreaterThan(70);
    act(
        operations.putAll,
        ImmutableList.of(new MapObject.Entry(bytes("other"), Optional.of(large))));
    assertThat(map.get(bytes("large"), nowMillis)).contains(large);
  }

  /** Keys of a megabyte must not be sent along with an argument of a megabyte. */
  @Test
  void doNotMakeAnOperationTooLarge() {
    Bytes longKey = Bytes.copyOf(new byte[600_000]);
    transact(list -> list.put(longKey, bytes("v"), SECOND).put("short", "v", SECOND));
    nowMillis += 1_000;
    transact(list -> list.put(bytes("k"), Bytes.copyOf(new byte[900_000])));
    assertThat(deltaBytes).isLessThan(1_000_000);
    assertThat(map.holds(bytes("short"))).isFalse();
    assertThat(map.holds(longKey)).isTrue();
    assertThat(act(operations.purge, Nothing.NOTHING)).isEqualTo(1);
    assertThat(map.holds(longKey)).isFalse();
  }

  @Test
  void refuseTimesThatMakeNoSense() {
    for (Duration ttl :
        ImmutableList.of(
            Duration.ZERO,
            SECOND.negated(),
            MapTransaction.MAX_TTL.plusMillis(1),
            Duration.ofSeconds(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MIN_VALUE))) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> transact(list -> list.put("a", "1", ttl)))
          .withMessageContaining("choose another");
    }
  }

  private record Timed(String value, long endMillis) {}

  /** Beside a map that keeps no more than it must, with its size in bytes. */
  @Test
  void doWhatATwinDoes() {
    Random random = new Random(5);
    TreeMap<String, Timed> twin = new TreeMap<>();
    for (int i = 0; i < 5_000; i++) {
      nowMillis += random.nextInt(3);
      twin.values().removeIf(timed -> timed.endMillis() <= nowMillis);
      String key = "k".repeat(1 + random.nextInt(30));
      String value = "v".repeat(random.nextInt(200));
      Duration ttl = Duration.ofMillis(1 + random.nextInt(40));
      long end = nowMillis + ttl.toMillis();
      switch (random.nextInt(6)) {
        case 0 -> {
          transact(list -> list.put(key, value, ttl));
          twin.put(key, new Timed(value, end));
        }
        case 1 -> {
          putAll(key, value);
          twin.put(key, new Timed(value, Long.MAX_VALUE));
        }
        case 2 -> {
          transact(list -> list.renew(key, ttl));
          twin.computeIfPresent(key, (any, timed) -> new Timed(timed.value(), end));
        }
        case 3 -> {
          transact(list -> list.putKeepingExpiry(key, value));
          Timed before = twin.get(key);
          twin.put(key, new Timed(value, before == null ? Long.MAX_VALUE : before.endMillis()));
        }
        case 4 ->
            assertThat(act(operations.remove, bytes(key))).isEqualTo(twin.remove(key) != null);
        default -> {
          transact(list -> list.persist(key));
          twin.computeIfPresent(key, (any, timed) -> new Timed(timed.value(), Long.MAX_VALUE));
        }
      }
      Map<String, String> shown = new TreeMap<>();
      map.forEachFrom(
          Bytes.EMPTY,
          nowMillis,
          (at, held) -> {
            shown.put(at.toText(), held.toText());
            return true;
          });
      Map<String, String> expected = new TreeMap<>();
      twin.forEach((at, timed) -> expected.put(at, timed.value()));
      assertThat(shown).isEqualTo(expected);
      assertThat(map.size(nowMillis)).isEqualTo(expected.size());
      Bytes written = operations.type.encode(map);
      assertThat(map.bytes()).isBetween(written.size(), written.size() + 32);
      MapState read =
          operations.type.codec(operations.type.versionOf(map)).orElseThrow().decode(written);
      assertThat(operations.type.encode(read)).isEqualTo(written);
      map = random.nextInt(10) == 0 ? read : map;
    }
  }
}
