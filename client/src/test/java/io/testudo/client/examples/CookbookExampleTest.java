package io.testudo.client.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.junit.TestudoClusterExtension;
import io.testudo.client.recipes.LeaderElection;
import io.testudo.mutex.FencedResource;
import io.testudo.mutex.Lease;
import io.testudo.ordering.Subscription;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.NoQuorumException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the cookbook shows does what it says. That it shows this is a rule of the house. */
@Timeout(120)
@SuppressWarnings("try") // A lease is held, whether it is looked at or not.
class CookbookExampleTest {
  @RegisterExtension
  static final TestudoClusterExtension CLUSTER = TestudoClusterExtension.of(4, 1);

  private final List<String> done = new ArrayList<>();

  @Test
  void oneInstanceRunsAndTheOtherOneSkips(TestudoClient client) throws InterruptedException {
    assertThat(onlyOne(client)).isTrue();
    try (Lease other = client.lock("reports/daily").acquire()) {
      assertThat(onlyOne(client)).isFalse();
    }
    assertThat(done).containsExactly("ran");
  }

  /** Who tries once gives up early where a machine is busy, and may try again. */
  private boolean onlyOne(TestudoClient client) throws InterruptedException {
    while (true) {
      try {
        return CookbookExample.onlyOne(client, () -> done.add("ran"));
      } catch (NoQuorumException e) {
        assertThat(e.isWorthRetrying()).isTrue();
      }
    }
  }

  @Test
  void aDayIsDoneOnce(TestudoClient client) {
    assertThat(CookbookExample.oncePerDay(client, "monday", "a", () -> done.add("a"))).isTrue();
    assertThat(CookbookExample.oncePerDay(client, "monday", "b", () -> done.add("b"))).isFalse();
    assertThat(CookbookExample.oncePerDay(client, "tuesday", "b", () -> done.add("b"))).isTrue();
    assertThat(done).containsExactly("a", "b");
  }

  @Test
  void aLongJobIsDoneStepByStep(TestudoClient client) throws InterruptedException {
    CookbookExample.longJob(client, List.of(() -> done.add("1"), () -> done.add("2")));
    assertThat(done).containsExactly("1", "2");
  }

  @Test
  void whatIsFencedTakesTheToken(TestudoClient client) throws InterruptedException {
    FencedResource<Map<String, String>> settings = new FencedResource<>(new HashMap<>());
    CookbookExample.fenced(client, settings);
    assertThat(settings.highest()).isPositive();
  }

  @Test
  void aLeaderIsToldItsTermAndItsEnd(TestudoClient client) {
    CompletableFuture<Long> term = new CompletableFuture<>();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    try (LeaderElection election =
        CookbookExample.leader(client, term::complete, () -> ended.complete(true))) {
      assertThat(term.join()).isPositive();
      assertThat(election.leadership()).isPresent();
    }
    assertThat(ended.join()).isTrue();
  }

  @Test
  void permitsAndSeveralLocksAreGivenBack(TestudoClient client) throws InterruptedException {
    for (int i = 0; i < 6; i++) {
      CookbookExample.limited(client, () -> done.add("called"));
      CookbookExample.transfer(client, token -> done.add("worked"));
    }
    assertThat(done).hasSize(12);
  }

  @Test
  void numbersGrowAlsoWithoutAServer(TestudoCluster cluster, TestudoClient client) {
    long first = CookbookExample.number(client);
    cluster.stop(3);
    try {
      assertThat(CookbookExample.number(client)).isEqualTo(first + 1);
      assertThat(CookbookExample.certain(client, Duration.ofSeconds(60))).hasValue(1L);
      // In no time at all nothing is known; asking tells.
      assertThat(CookbookExample.certain(client, Duration.ofNanos(1))).hasValue(2L);
    } finally {
      cluster.start(3);
    }
  }

  @Test
  void settingsAreHeardOf(TestudoClient client) {
    CompletableFuture<Map<Bytes, Bytes>> heard = new CompletableFuture<>();
    try (Subscription subscription = CookbookExample.settings(client, heard::complete)) {
      assertThat(heard.join()).containsEntry(Bytes.utf8("mode"), Bytes.utf8("fast"));
    }
  }

  @Test
  void jobsAreWorkedOff(TestudoClient client) {
    assertThat(CookbookExample.workOff(client, done::add)).isEqualTo(1);
    assertThat(done).containsExactly("resize image 7");
  }

  @Test
  void whoIsReadyCountsOnce(TestudoClient client) throws InterruptedException {
    client.countDownLatch("release-42/ready", 3).countDown("a").join();
    client.countDownLatch("release-42/ready", 3).countDown("b").join();
    CookbookExample.allReady(client, "c");
    assertThat(client.countDownLatch("release-42/ready", 3).count().join()).isZero();
  }

  @Test
  void aRateIsLimited(TestudoClient client) {
    assertThat(CookbookExample.mayPass(client)).isTrue();
    assertThat(CookbookExample.PASS.apply(new CookbookExample.Minute(0, 0), 0L).result())
        .as("nobody passes where none may")
        .isFalse();
  }

  @Test
  void callbacksHoldTheLockToo(TestudoClient client) {
    CompletableFuture<Long> token = new CompletableFuture<>();
    CookbookExample.async(client, token::complete).join();
    assertThat(token.join()).isPositive();
  }

  @Test
  void honestServersAreNotSuspected(TestudoClient client) throws InterruptedException {
    assertThat(CookbookExample.watchServers(client)).isEmpty();
  }
}
