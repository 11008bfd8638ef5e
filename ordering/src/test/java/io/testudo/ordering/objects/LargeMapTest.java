package io.testudo.ordering.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.OperationFailedException;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.ordering.access.ObjectClient;
import io.testudo.ordering.access.ObjectCluster;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Maps that are spread over many objects. Each test has a map of its own. */
@Timeout(120)
class LargeMapTest {
  private static ObjectCluster cluster;
  private static ObjectClient alice;
  private static ObjectClient bob;

  @BeforeAll
  static void start() {
    cluster = ObjectCluster.start(4, 1);
    alice = cluster.client("alice");
    bob = cluster.client("bob");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Map<Bytes, Bytes> entries(int count, int valueBytes) {
    Map<Bytes, Bytes> entries = new HashMap<>();
    for (int i = 0; i < count; i++) {
      entries.put(Bytes.utf8("key" + i), Bytes.copyOf(new byte[valueBytes]));
    }
    return entries;
  }

  private static Map<Bytes, Bytes> all(LargeMap map) {
    Map<Bytes, Bytes> seen = new HashMap<>();
    long count =
        map.forEach((key, value) -> assertThat(seen.put(key, value)).as("twice").isNull()).join();
    assertThat(count).isEqualTo(seen.size());
    return seen;
  }

  @Test
  void holdMoreThanAnObjectAndAreTheSameForAllClients() {
    Map<Bytes, Bytes> entries = entries(2_000, 1_000);
    LargeMap map = LargeMap.open(alice, "orders", 8);
    map.putAll(entries).join();
    assertThat(2_000 * 1_000).isGreaterThan(ObjectLimits.MAX_STATE_BYTES);
    assertThat(map.size().join()).isEqualTo(2_000);

    LargeMap others = LargeMap.open(bob, "orders");
    assertThat(others.shards().join()).contains(8);
    assertThat(all(others)).isEqualTo(entries);
    assertThat(others.get("key17").join()).isPresent();
    assertThat(others.getStale(Bytes.utf8("key18")).join()).isPresent();
    assertThat(others.get("key2000").join()).isEmpty();
    assertThat(others.remove("key17").join()).isTrue();
    assertThat(map.get("key17").join()).isEmpty();
    assertThat(map.shardOf(Bytes.utf8("key1")).join().size().join()).isBetween(1, 1_000);
    assertThat(map.clear().join()).isEqualTo(1_999);
    assertThat(others.size().join()).isZero();
  }

  @Test
  void areFullShardByShard() {
    LargeMap map = LargeMap.open(alice, "full", 2);
    Bytes value = Bytes.copyOf(new byte[1_000_000]);
    Bytes first = Bytes.utf8("{same}1");
    Bytes second = Bytes.utf8("{same}2");
    map.put(first, value).join();
    assertThatThrownBy(() -> map.put(second, value).join())
        .hasCauseInstanceOf(ValueTooLargeException.class);
    assertThat(map.get(second).join()).isEmpty();
  }

  @Test
  void keepTheNumberOfTheirShardsForEver() {
    LargeMap.open(alice, "fixed", 4).put("a", "1").join();
    LargeMap other = LargeMap.open(bob, "fixed", 8);
    for (CompletableFuture<?> call :
        List.of(other.get("a"), other.put("a", "2"), other.size(), other.page(none(), 1))) {
      assertThatThrownBy(call::join)
          .cause()
          .isInstanceOf(OperationFailedException.class)
          .hasMessageContaining("it has 4 shards since it was made")
          .hasMessageContaining("copy it into a map of another name");
    }
    assertThat(LargeMap.open(bob, "fixed").get("a").join()).contains(Bytes.utf8("1"));
    assertThatThrownBy(() -> LargeMap.open(alice, "fixed", LargeMapLayout.MAX_SHARDS + 1))
        .isInstanceOf(IllegalArgumentException.class);
    // What keeps the number is no map, and nobody writes into it by mistake.
    assertThatThrownBy(() -> MapObject.open(cluster.client("carol"), "fixed").put("a", "3").join())
        .hasMessageContaining("open it with its own type");
  }

  /**
   * Else it would be drawn anew: who knew it before would put keys where those who come later do
   * not look, and the same key would be there twice.
   */
  @Test
  void keepWhereTheirKeysAreWhateverIsDeleted() {
    LargeMap map = LargeMap.open(alice, "kept", 4);
    map.putAll(entries(50, 1)).join();
    ReplicatedObject<?> directory = bob.any("kept");
    ReplicatedObject<?> own = alice.any("kept");
    TimeToLive hour = TimeToLive.of(Duration.ofHours(1));
    for (CompletableFuture<?> call :
        List.of(directory.delete(), own.delete(), own.expireAfter(hour))) {
      assertThatThrownBy(call::join)
          .cause()
          .isInstanceOf(OperationFailedException.class)
          .hasMessageContaining("delete the shards of the map instead");
    }
    ObjectClient carol = cluster.client("carol");
    assertThatThrownBy(
            () ->
                carol
                    .open("mortal", LargeMapLayout.TYPE)
                    .createdWith(hour)
                    .submit(LargeMapLayout.CREATE, 4)
                    .join())
        .hasCauseInstanceOf(OperationFailedException.class);
    assertThat(all(LargeMap.open(carol, "kept"))).hasSize(50);

    assertThat(map.delete().join()).isEqualTo(4);
    assertThat(LargeMap.open(bob, "kept").size().join()).isZero();
    map.put("a", "1").join();
    assertThat(LargeMap.open(cluster.client("dave"), "kept").get("a").join())
        .contains(Bytes.utf8("1"));
    assertThat(map.delete().join()).isEqualTo(1);
  }

  @Test
  void goOnBehindACallThatMakesNoSense() {
    LargeMap map = LargeMap.open(alice, "sense", 2);
    CompletableFuture<Nothing> wrong = map.put("a", "1", Duration.ZERO);
    CompletableFuture<Nothing> right = map.put("b", "2");
    assertThatThrownBy(wrong::join).hasCauseInstanceOf(IllegalArgumentException.class);
    right.join();
    assertThat(map.get("b").join()).contains(Bytes.utf8("2"));

    String name = "x".repeat(ObjectLimits.MAX_NAME_BYTES - "/shard-9".length());
    assertThatThrownBy(() -> LargeMap.open(alice, name, 11))
        .isInstanceOf(IllegalArgumentException.class);
    LargeMap.open(alice, name, 10).put("a", "1").join();
  }

  private static Optional<Bytes> none() {
    return Optional.empty();
  }

  @Test
  void areNotMadeByWhoOnlyReads() {
    LargeMap map = LargeMap.open(alice, "nothing");
    assertThat(map.get("a").join()).isEmpty();
    assertThat(map.size().join()).isZero();
    assertThat(map.shards().join()).isEmpty();
    assertThat(map.page(none(), 10).join()).isEqualTo(new LargeMap.Page(Map.of(), none()));
    assertThat(bob.open("nothing", LargeMapLayout.TYPE).readVersion(seen -> seen.version()).join())
        .isZero();
    map.put("a", "1").join();
    assertThat(map.shards().join()).contains(LargeMapLayout.DEFAULT_SHARDS);
  }

  @Test
  void areMadeOnceByWhoeverComesFirst() {
    List<CompletableFuture<Nothing>> puts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      LargeMap map = LargeMap.open(i % 2 == 0 ? alice : bob, "raced");
      puts.add(map.put("key" + i, "v"));
    }
    puts.forEach(CompletableFuture::join);
    assertThat(LargeMap.open(alice, "raced").size().join()).isEqualTo(8);
  }

  /** Also those that are called before it is known where anything is. */
  @Test
  void doTheOperationsOfAClientInTheirOrder() {
    for (int round = 0; round < 5; round++) {
      LargeMap map = LargeMap.open(alice, "ordered" + round, 4);
      List<CompletableFuture<Nothing>> puts = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        puts.add(map.put("key", "" + i));
      }
      puts.forEach(CompletableFuture::join);
      assertThat(map.get("key").join()).contains(Bytes.utf8("199"));
    }
  }

  @Test
  void haveTransactionsOnKeysWithATagInCommon() {
    LargeMap map = LargeMap.open(alice, "tagged", 16);
    MapTransaction.Result made =
        map.transaction()
            .ifAbsent("{alice}/name")
            .then(list -> list.put("{alice}/name", "Alice").put("{alice}/age", "7"))
            .submit()
            .join();
    assertThat(made.succeeded()).isTrue();
    assertThat(map.get("{alice}/age").join()).contains(Bytes.utf8("7"));
    assertThatThrownBy(
            () ->
                map.transaction()
                    .then(
                        list -> {
                          for (int i = 0; i < 50; i++) {
                            list.put("key" + i, "v");
                          }
                        })
                    .submit()
                    .join())
        .cause()
        .isInstanceOf(OperationFailedException.class)
        .hasMessageContaining("several shards; give them a tag in common");
    assertThat(map.size().join()).isEqualTo(2);
    assertThatThrownBy(() -> map.transaction().submit().join())
        .hasMessageContaining("it names no key");
  }

  @Test
  void passOnWhatConcernsOneKey() {
    LargeMap map = LargeMap.open(alice, "keys", 4).withTimeout(Duration.ofSeconds(60));
    Bytes key = Bytes.utf8("k");
    map.put("k", "1", Duration.ofHours(1)).join();
    assertThat(map.expiry(key).join()).isPresent();
    assertThat(map.renew(key, Duration.ofHours(2)).join()).isTrue();
    assertThat(map.putIfAbsent(key, Bytes.utf8("2")).join()).isFalse();
    assertThat(map.getAndPut(key, Bytes.utf8("2")).join()).contains(Bytes.utf8("1"));
    assertThat(
            map.compareAndSet(key, Optional.of(Bytes.utf8("2")), Optional.of(Bytes.utf8("3")))
                .join())
        .isTrue();
    assertThat(map.get(key).join()).contains(Bytes.utf8("3"));
    assertThat(map.expiry(key).join()).isEmpty();
  }

  /** What is there all the time is on one page; what comes and goes on one or on none. */
  @Test
  void areShownPageByPageWhileTheyChange() {
    Map<Bytes, Bytes> staying = entries(100, 1);
    LargeMap map = LargeMap.open(alice, "pages", 4);
    map.putAll(staying).join();
    for (int i = 0; i < 50; i++) {
      map.put("passing" + i, "v").join();
    }
    LargeMap others = LargeMap.open(bob, "pages");
    Map<Bytes, Integer> seen = new HashMap<>();
    Optional<Bytes> next = none();
    int pages = 0;
    do {
      LargeMap.Page page = others.page(next, 7).join();
      assertThat(page.entries().size()).isLessThanOrEqualTo(7);
      page.entries().keySet().forEach(key -> seen.merge(key, 1, Integer::sum));
      next = page.next();
      if (pages < 50) {
        assertThat(map.remove("passing" + pages).join()).isTrue();
        map.put("coming" + pages, "v").join();
      }
      pages++;
    } while (next.isPresent());
    assertThat(seen.keySet()).containsAll(staying.keySet());
    assertThat(seen.values()).containsOnly(1);
    assertThat(pages).isGreaterThan(100 / 7);
    assertThatThrownBy(() -> others.page(none(), 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
