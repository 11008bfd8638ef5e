package io.testudo.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.objects.LargeMap;
import io.testudo.ordering.objects.MapObject;
import io.testudo.ordering.objects.MapState;
import io.testudo.quorum.Bytes;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How much a large map holds, on four servers of this process. Small unless properties say more:
 * docs/objects.md has the command and what it printed.
 */
@Timeout(600)
class LargeMapCapacityTest {
  private static final int ENTRIES = Integer.getInteger("testudo.largeMap.entries", 3_000);
  private static final int VALUE_BYTES = Integer.getInteger("testudo.largeMap.valueBytes", 700);
  private static final int SHARDS = Integer.getInteger("testudo.largeMap.shards", 4);
  private static final int BATCH = 2_000;

  private static Bytes key(int i) {
    return Bytes.utf8("user/%08d".formatted(i));
  }

  private static Bytes value(int i) {
    byte[] value = new byte[VALUE_BYTES];
    value[0] = (byte) i;
    return Bytes.wrap(value);
  }

  @Test
  void holdsMoreThanAnObject() {
    try (TestudoCluster cluster = TestudoCluster.start(4, 1)) {
      try (TestudoClient writer = cluster.client("writer")) {
        LargeMap map = writer.largeMap("users", SHARDS);
        for (int from = 0; from < ENTRIES; from += BATCH) {
          Map<Bytes, Bytes> batch = new HashMap<>();
          for (int i = from; i < Math.min(ENTRIES, from + BATCH); i++) {
            batch.put(key(i), value(i));
          }
          map.putAll(batch).join();
        }
      }
      try (TestudoClient reader = cluster.client("reader")) {
        LargeMap map = reader.largeMap("users");
        int[] next = {0};
        long[] bytes = {0};
        long seen =
            map.forEach(
                    (key, value) -> {
                      next[0]++;
                      bytes[0] += key.size() + value.size();
                    })
                .join();
        assertThat(seen).isEqualTo(ENTRIES).isEqualTo(next[0]);
        assertThat(map.size().join()).isEqualTo(ENTRIES);
        assertThat(map.get(key(ENTRIES / 2)).join()).contains(value(ENTRIES / 2));
        assertThat(bytes[0]).isGreaterThan(ObjectLimits.MAX_STATE_BYTES);
        System.out.printf(
            "%,d entries, %.1f MiB in %d shards; the fullest has %.0f %% of its room%n",
            seen,
            bytes[0] / 1048576.0,
            SHARDS,
            100.0 * fullest(map) / ObjectLimits.MAX_STATE_BYTES);
      }
    }
  }

  private static int fullest(LargeMap map) {
    int most = 0;
    for (int i = 0; i < ENTRIES; i += Math.max(1, ENTRIES / 1_000)) {
      MapObject shard = map.shardOf(key(i)).join();
      most = Math.max(most, shard.object().<Integer>read(MapState::bytes).join());
    }
    return most;
  }
}
