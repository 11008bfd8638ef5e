package io.testudo.bench.objects;

import io.testudo.bench.cluster.DeployedClients;
import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Session;
import io.testudo.client.TestudoClient;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.quorum.netty.Traffic;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Clients that increment one counter. Figures of a counter that loses increments, or counts them
 * twice, would not mean anything: each client sees the count grow, and in the end it is as many as
 * all have done.
 */
final class ObjectSession implements Session {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ObjectContestant contestant;
  private final DeployedClients connected;
  private final List<Incrementer> incrementers = new ArrayList<>();
  private final Traffic before;

  /**
   * A session.
   *
   * @param connected ends with it
   * @param clients of which some share a connected one if these are more
   */
  ObjectSession(ObjectContestant contestant, DeployedClients connected, int clients) {
    this.contestant = contestant;
    this.connected = connected;
    String name = "counter-" + Long.toHexString(RANDOM.nextLong());
    ObjectType<PaddedCounter> type = PaddedCounter.type(contestant.setup().stateBytes());
    List<TestudoClient> all = connected.all();
    for (int i = 0; i < clients; i++) {
      incrementers.add(new Incrementer(all.get(i % all.size()).object(name, type)));
    }
    this.before = connected.traffic();
  }

  @Override
  public void start(int client, Completion completion) {
    incrementers.get(client).start(completion);
  }

  /**
   * Ends all clients.
   *
   * @throws MeasurementException if the counter is not what all have counted
   */
  @Override
  public void close() throws IOException {
    try (connected) {
      if (incrementers.stream().allMatch(client -> client.completion == null)) {
        long done = incrementers.stream().mapToLong(client -> client.done).sum();
        contestant.used(new Usage(done, connected.traffic().minus(before)));
        long count = incrementers.get(0).counter.read(PaddedCounter::count).join();
        if (count != done) {
          throw new MeasurementException(
              "%d increments were answered, and the count is %d".formatted(done, count), null);
        }
      }
    } catch (CompletionException e) {
      throw new IOException("the counter could not be read", e);
    }
  }

  /** One client; it has one operation under way at a time. */
  private static final class Incrementer
      implements BiConsumer<@Nullable Long, @Nullable Throwable> {
    private final ReplicatedObject<PaddedCounter> counter;

    /** Also guards the others: whoever sees it null sees what came before. */
    private volatile @Nullable Completion completion;

    private long done;
    private long lastCount;

    Incrementer(ReplicatedObject<PaddedCounter> counter) {
      this.counter = counter;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
    void start(Completion whenDone) {
      completion = whenDone;
      counter.submit(PaddedCounter.INCREMENT).whenComplete(this);
    }

    /** After a failure the completion stays: if an outcome is unknown the count is not checked. */
    @Override
    public void accept(@Nullable Long count, @Nullable Throwable failure) {
      Completion ended = completion;
      if (ended == null) {
        throw new IllegalStateException("nobody asked for this");
      }
      if (failure != null) {
        ended.failed(failure);
      } else if (count == null || count <= lastCount) {
        ended.failed(new MeasurementException("the count did not grow", null));
      } else {
        lastCount = count;
        done++;
        completion = null;
        ended.done();
      }
    }
  }
}
