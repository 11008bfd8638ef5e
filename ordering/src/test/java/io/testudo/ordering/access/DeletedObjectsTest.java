package io.testudo.ordering.access;

import static io.testudo.ordering.access.ObjectClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.ordering.Applied;
import io.testudo.ordering.ObjectTypeException;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.RegisterObject;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects that are deleted, and used again. */
@Timeout(60)
class DeletedObjectsTest {
  private static ObjectCluster start(Mode mode) {
    return ObjectCluster.start(mode.need().leastServers(1), 1, new ObjectBackend(mode));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void isAsNewForEverybody(Mode mode) throws Exception {
    try (ObjectCluster cluster = start(mode);
        ObjectClient alice = cluster.client("alice");
        ObjectClient bob = cluster.client("bob")) {
      CounterObject counter = CounterObject.open(alice, "it");
      get(counter.increment(7));
      assertThat(get(CounterObject.open(bob, "it").get())).isEqualTo(7);
      assertThat(get(counter.object().delete())).isTrue();
      assertThat(get(counter.get())).isZero();
      assertThat(get(CounterObject.open(bob, "it").get())).isZero();
      assertThat(get(bob.delete("it"))).isFalse();
      assertThat(get(CounterObject.open(bob, "it").increment(2))).isEqualTo(2);
      assertThat(get(counter.get())).isEqualTo(2);
    }
  }

  @Test
  void mayBeOfAnotherTypeThen() throws Exception {
    try (ObjectCluster cluster = start(Mode.SEALED_STATEMENTS);
        ObjectClient alice = cluster.client("alice");
        ObjectClient bob = cluster.client("bob")) {
      CounterObject old = CounterObject.open(bob, "it");
      get(old.increment(7));
      assertThat(get(alice.delete("it"))).as("of whatever type").isTrue();
      RegisterObject register = RegisterObject.open(alice, "it");
      get(register.set(Bytes.utf8("text")));
      assertThat(get(register.get())).contains(Bytes.utf8("text"));

      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(() -> get(old.increment()))
          .withCauseInstanceOf(ObjectTypeException.class);
      assertThat(get(old.object().delete())).isTrue();
      assertThat(get(RegisterObject.open(bob, "it").get())).isEmpty();
    }
  }

  @Test
  void knowsWhatWasDoneBeforeItWasDeleted() throws Exception {
    try (ObjectCluster cluster = start(Mode.SEALED_STATEMENTS);
        ObjectClient alice = cluster.client("alice");
        ObjectClient bob = cluster.client("bob")) {
      CounterObject counter = CounterObject.open(alice, "it");
      Applied<Long> done = get(counter.object().submitTraced(CounterObject.ADD, 7L));
      assertThat(get(bob.delete("it"))).isTrue();
      Optional<Applied<Long>> outcome =
          get(CounterObject.open(bob, "it").object().outcomeOf(done.id(), CounterObject.ADD));
      assertThat(outcome).contains(done);
    }
  }

  @Test
  void servesHandlesFromBeforeAndAfterTogether() throws Exception {
    try (ObjectCluster cluster = start(Mode.SEALED_STATEMENTS);
        ObjectClient alice = cluster.client("alice")) {
      CounterObject before = CounterObject.open(alice, "it");
      get(before.increment());
      assertThat(get(before.object().delete())).isTrue();
      CounterObject after = CounterObject.open(alice, "it");
      List<CompletableFuture<Long>> counts = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        counts.add(before.increment());
        counts.add(after.increment());
      }
      for (CompletableFuture<Long> count : counts) {
        assertThat(get(count)).isBetween(1L, 100L);
      }
      assertThat(get(after.get())).isEqualTo(100);
    }
  }

  @Test
  void isGoneAfterItsTime() throws Exception {
    try (ObjectCluster cluster = start(Mode.SEALED_STATEMENTS);
        ObjectClient alice = cluster.client("alice");
        ObjectClient bob = cluster.client("bob")) {
      CounterObject forLong = CounterObject.open(alice, "long");
      get(forLong.increment(7));
      TimeToLive day = TimeToLive.of(Duration.ofDays(1));
      assertThat(get(forLong.object().expireAfter(day))).isTrue();
      assertThat(get(forLong.object().expiry())).isPresent();
      assertThat(get(alice.any("long").sweep())).isFalse();
      assertThat(get(forLong.get())).isEqualTo(7);
      assertThat(get(bob.any("none").expireAfter(day))).isFalse();

      TimeToLive moment = TimeToLive.of(Duration.ofMillis(1));
      CounterObject brief = CounterObject.open(alice, "brief");
      get(brief.object().createdWith(moment).submit(CounterObject.ADD, 7L));
      while (get(brief.get()) != 0) {
        assertThat(get(brief.object().expiry())).as("a millisecond is soon over").isNotNull();
      }
      assertThat(get(CounterObject.open(bob, "brief").get())).isZero();
      assertThat(get(alice.delete("brief"))).as("whoever read it has had it deleted").isFalse();

      get(brief.object().createdWith(moment).submit(CounterObject.ADD, 7L));
      boolean isSwept = get(bob.any("brief").sweep());
      while (!isSwept) {
        isSwept = get(bob.any("brief").sweep());
      }
      assertThat(get(brief.increment(1))).isEqualTo(1);
      assertThat(get(brief.object().expiry())).isEmpty();
    }
  }
}
