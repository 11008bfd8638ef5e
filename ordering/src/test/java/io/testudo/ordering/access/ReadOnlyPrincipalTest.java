package io.testudo.ordering.access;

import static io.testudo.ordering.access.ObjectClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SigningKey;
import io.testudo.ordering.ObjectChange;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.Signers;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A principal with the right to read and without any group key, beside one that never stops. */
@Timeout(60)
@SuppressWarnings("try") // Resources that only have to be closed.
class ReadOnlyPrincipalTest {
  private static final Rights RIGHTS =
      Rights.of(
          List.of(
              Grant.of("writer", Set.of(Right.READ, Right.SUBMIT, Right.ORDER), "shop/"),
              Grant.of("reader", Set.of(Right.READ), "shop/")),
          List.of());
  private static final int READS = 30;

  private static ObjectCluster start() {
    return ObjectCluster.start(4, 1, new ObjectBackend(Mode.SEALED_STATEMENTS), () -> RIGHTS);
  }

  /** Has several increments under way all the time, until it is told to stop. */
  private static final class Hammer implements AutoCloseable {
    private final CounterObject till;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong answered = new AtomicLong();

    Hammer(ObjectClient writer) throws Exception {
      till = CounterObject.open(writer, "shop/till");
      answered.set(get(till.increment()));
      for (int i = 0; i < 8; i++) {
        go();
      }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
    private void go() {
      till.increment()
          .whenComplete(
              (count, error) -> {
                if (error == null) {
                  answered.accumulateAndGet(count, Math::max);
                }
                if (!stopped.get()) {
                  go();
                }
              });
    }

    @Override
    public void close() {
      stopped.set(true);
    }
  }

  private static void assertReads(ObjectClient writer, ObjectClient reader) throws Exception {
    BlockingQueue<ObjectChange> changes = new LinkedBlockingQueue<>();
    BlockingQueue<Long> versions = new LinkedBlockingQueue<>();
    CounterObject till = CounterObject.open(reader, "shop/till");
    try (Hammer hammer = new Hammer(writer);
        var names = reader.watch("shop/", changes::add);
        var watch = till.object().onVersion((Snapshot<Long> seen) -> versions.add(seen.state()))) {
      for (int i = 0; i < READS; i++) {
        long before = hammer.answered.get();
        assertThat(get(till.get())).as("what was answered before").isGreaterThanOrEqualTo(before);
        assertThat(get(till.getStale())).isPositive();
      }
      assertThat(changes.take().name()).isEqualTo("shop/till");
      assertThat(changes.take().kind()).isEqualTo(ObjectChange.Kind.CHANGED);
      assertThat(versions.take()).isPositive();
      long before = hammer.answered.get();
      while (versions.take() <= before) {
        assertThat(hammer.stopped).isFalse();
      }
    }
  }

  @Test
  void readsAndWatchesWithoutAnyGroupKey() throws Exception {
    try (ObjectCluster cluster = start();
        ObjectClient writer = cluster.client("writer");
        ObjectClient reader =
            cluster.prepareClient("reader").seals(ObjectSeals.group("town", Map.of())).build()) {
      assertReads(writer, reader);
    }
  }

  @Test
  void readsAndWatchesWhatIsSigned() throws Exception {
    try (ObjectCluster cluster = start();
        SigningKey key = SigningKey.generate(new SecureRandom())) {
      Signers signers = Signers.of(Map.of("writer", key.verifyingKey()), RIGHTS);
      try (ObjectClient writer =
              cluster
                  .prepareClient("writer")
                  .seals(ObjectSeals.signatures("town", key, signers))
                  .build();
          ObjectClient reader =
              cluster
                  .prepareClient("reader")
                  .seals(ObjectSeals.signatures("town", null, signers))
                  .build()) {
        assertReads(writer, reader);
      }
    }
  }

  @Test
  void isToldOfADeletion() throws Exception {
    BlockingQueue<ObjectChange> changes = new LinkedBlockingQueue<>();
    try (ObjectCluster cluster = start();
        ObjectClient writer = cluster.client("writer");
        ObjectClient reader =
            cluster.prepareClient("reader").seals(ObjectSeals.group("town", Map.of())).build();
        var names = reader.watch("shop/", changes::add)) {
      get(CounterObject.open(writer, "shop/till").increment());
      assertThat(changes.take().kind()).isEqualTo(ObjectChange.Kind.CREATED);
      assertThat(get(writer.delete("shop/till"))).isTrue();
      ObjectChange last = changes.take();
      while (last.kind() != ObjectChange.Kind.DELETED) {
        last = changes.take();
      }
      assertThat(get(CounterObject.open(reader, "shop/till").get())).isZero();
      CompletableFuture<Boolean> refused = reader.delete("shop/till");
      assertThat(refused.handle((done, error) -> error != null).join()).isTrue();
    }
  }
}
