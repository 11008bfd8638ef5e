package io.testudo.node.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.testudo.client.TestudoClient;
import io.testudo.mutex.Lease;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is shown of a cluster over HTTP, to programs. */
@Timeout(120)
class ClusterWatchTest {
  private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\u202e\u001b[31m\n";

  @TempDir private Path temporary;
  private ShownCluster shown;

  @BeforeEach
  void start() {
    shown = new ShownCluster(temporary.resolve("cluster"), Duration.ofMillis(20));
  }

  @AfterEach
  void end() {
    shown.close();
  }

  private static JsonObject server(JsonObject seen, int index) {
    return seen.getAsJsonArray("servers").get(index).getAsJsonObject();
  }

  private static boolean hasFault(JsonObject seen, int index, String fault) {
    return server(seen, index)
        .getAsJsonObject("row")
        .getAsJsonArray("faults")
        .toString()
        .contains(fault);
  }

  @Test
  void showsServersAndHowMuchOfBIsLeft() throws IOException {
    JsonObject well = shown.when(seen -> seen.get("answering").getAsInt() == 4);
    assertThat(well.get("verdict").getAsString()).isEqualTo("well");
    assertThat(well.getAsJsonObject("summary").get("faultsLeft").getAsInt()).isEqualTo(1);
    assertThat(server(well, 0).getAsJsonObject("row").get("version").getAsString()).isNotEmpty();
    shown.servers().stop(new ServerId(3));
    JsonObject worn = shown.when(seen -> hasFault(seen, 3, "silent"));
    assertThat(worn.get("verdict").getAsString()).isEqualTo("worn");
    assertThat(worn.get("answering").getAsInt()).isEqualTo(3);
    assertThat(worn.getAsJsonObject("summary").get("faultsLeft").getAsInt()).isZero();
    shown.servers().stop(new ServerId(2));
    JsonObject waits = shown.when(seen -> seen.get("answering").getAsInt() == 2);
    assertThat(waits.get("verdict").getAsString()).isEqualTo("waits");
    assertThat(waits.getAsJsonObject("summary").get("hasQuorum").getAsBoolean()).isFalse();
    assertThat(shown.get("metrics"))
        .contains("\ntestudo_cluster_has_quorum 0\n", "\ntestudo_cluster_faults_left -1\n")
        .contains("\ntestudo_cluster_server_fault{server=\"s2\",fault=\"silent\"} 1\n")
        .contains("\ntestudo_cluster_server_fault{server=\"s1\",fault=\"silent\"} 0\n");
  }

  @Test
  void showsSuspicionsWithWhatIsSaidAndWhetherItIsBelieved() throws Exception {
    shown.accuse("alice", 2, HOSTILE);
    JsonObject one = shown.when(seen -> !seen.getAsJsonArray("reports").isEmpty());
    JsonObject report = one.getAsJsonArray("reports").get(0).getAsJsonObject();
    assertThat(report.get("believed").getAsBoolean()).as("she could frame it").isFalse();
    assertThat(report.getAsJsonObject("row").get("detail").getAsString()).isEqualTo(HOSTILE);
    assertThat(one.get("verdict").getAsString()).isEqualTo("well");
    shown.accuse("bob", 2, "granted twice");
    JsonObject both = shown.when(seen -> hasFault(seen, 2, "contradicts"));
    assertThat(both.getAsJsonObject("summary").get("lying").getAsInt()).isEqualTo(1);
    assertThat(
            both.getAsJsonArray("reports").get(0).getAsJsonObject().get("believed").getAsBoolean())
        .isTrue();
    assertThat(shown.get("metrics"))
        .contains("testudo_cluster_server_accusers{server=\"s2\"} 2\n", "testudo_cluster_lying 1\n")
        .doesNotContain("alice", "granted twice");
  }

  @Test
  void showsLocksAndObjectsWhateverTheyAreCalled() throws Exception {
    try (TestudoClient alice = shown.client("alice");
        TestudoClient bob = shown.client("bob");
        Lease lease = alice.lock(HOSTILE).acquire()) {
      CompletableFuture<Lease> waiter = bob.lock(HOSTILE).acquireAsync();
      long unused = alice.counter("hits").increment().join();
      JsonObject seen =
          shown.when(
              it ->
                  !it.getAsJsonArray("objects").isEmpty()
                      && !it.getAsJsonArray("locks").isEmpty()
                      && !lock(it).getAsJsonArray("waiters").isEmpty());
      assertThat(lock(seen).get("lock").getAsString()).isEqualTo(HOSTILE);
      assertThat(lock(seen).get("fence").getAsLong()).isEqualTo(lease.fencingToken());
      assertThat(seen.getAsJsonArray("locks").get(0).getAsJsonObject().get("fence").getAsString())
          .isEqualTo(Long.toString(lease.fencingToken()));
      assertThat(lock(seen).getAsJsonObject("holder").get("principal").getAsString())
          .isEqualTo("alice");
      JsonArray waiters = lock(seen).getAsJsonArray("waiters");
      assertThat(waiters.get(0).getAsJsonObject().get("principal").getAsString()).isEqualTo("bob");
      JsonObject object = seen.getAsJsonArray("objects").get(0).getAsJsonObject();
      assertThat(object.get("object").getAsString()).isEqualTo("hits");
      assertThat(object.get("version").getAsLong()).isPositive();
      assertThat(shown.get("status")).doesNotContain("\u202e", "\u001b").contains("\\u202e");
      assertThat(shown.get("metrics"))
          .contains("testudo_cluster_locks_held 1\n", "testudo_cluster_lock_waiters 1\n")
          .doesNotContain("hits", "onerror", "bob");
      assertThat(waiter.cancel(false)).isTrue();
    }
  }

  private static JsonObject lock(JsonObject seen) {
    return seen.getAsJsonArray("locks").get(0).getAsJsonObject().getAsJsonObject("row");
  }

  @Test
  void showsTheFirstOfVeryMany() throws Exception {
    try (TestudoClient alice = shown.client("alice")) {
      List<CompletableFuture<Lease>> leases = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        leases.add(alice.lock("lock-%03d".formatted(i)).acquireAsync());
      }
      leases.forEach(CompletableFuture::join);
      JsonObject seen = shown.when(it -> it.get("moreLocks").getAsBoolean());
      assertThat(seen.getAsJsonArray("locks")).hasSize(256);
      assertThat(lock(seen).get("lock").getAsString()).isEqualTo("lock-000");
      assertThat(seen.get("moreObjects").getAsBoolean()).isFalse();
    }
  }

  @Test
  void looksAgainAndAgainForThoseWhoRead() throws IOException {
    long first = shown.when(seen -> true).get("look").getAsLong();
    assertThat(shown.when(seen -> seen.get("look").getAsLong() > first + 2)).isNotNull();
    assertThat(shown.get("")).startsWith("200 <!doctype html>");
    assertThat(shown.get("secret")).startsWith("404 ");
  }
}
