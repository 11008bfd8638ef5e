package io.testudo.client;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.testudo.client.config.ClientConfig;
import io.testudo.client.keeping.RecipeBook;
import io.testudo.client.keeping.Surroundings;
import io.testudo.client.keeping.Surroundings.Pending;
import io.testudo.client.keeping.Surroundings.RecipeClock;
import io.testudo.client.roster.LeaseRule;
import io.testudo.client.roster.Member;
import io.testudo.quorum.netty.Callbacks;
import io.testudo.quorum.protocol.Moment;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The recipes of one client, with the clocks and threads that they run on. */
record RecipeKit(RecipeBook book, Callbacks callbacks) {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** For so long a client that is closed waits for its permits to be given back. */
  private static final Duration CLOSING = Duration.ofSeconds(2);

  static RecipeKit of(ClientConfig config, @Nullable Executor executor) {
    Callbacks callbacks =
        executor == null ? Callbacks.onOwnThreads("testudo-recipe") : Callbacks.on(executor);
    String principal = config.principal();
    return new RecipeKit(
        new RecipeBook(
            new Surroundings(
                new SystemClock(callbacks),
                callbacks,
                new LeaseRule(config.common().lock().timing().drift()),
                principal.substring(0, Math.min(principal.length(), Member.MAX_OWNER_CHARS)),
                RANDOM::nextLong)),
        callbacks);
  }

  void close() {
    book.close(CLOSING);
    callbacks.close();
  }

  /** The clocks of this machine. */
  private record SystemClock(Executor callbacks) implements RecipeClock {
    @Override
    public Moment now() {
      return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    @Override
    public Pending later(long nanos, Runnable task) {
      CompletableFuture<@Nullable Void> timer = new CompletableFuture<>();
      var unused = timer.thenRunAsync(task, callbacks);
      var unusedToo = timer.completeOnTimeout(null, nanos, NANOSECONDS);
      return () -> timer.cancel(false);
    }
  }
}
