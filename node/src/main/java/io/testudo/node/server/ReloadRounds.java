package io.testudo.node.server;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.testudo.client.config.FileChanges;
import io.testudo.client.config.WatchedFiles;
import io.testudo.node.CommandException;
import io.testudo.quorum.ConfigurationException;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a daemon waits for: an occasion, such as a signal, or that its files have changed, for which
 * it looks now and then while it waits. It takes no thread of its own.
 *
 * @param <O> the occasions
 */
final class ReloadRounds<O> {
  private static final Logger LOG = LoggerFactory.getLogger(ReloadRounds.class);

  private final BlockingQueue<O> occasions;
  private final FileChanges changes;
  private final long pauseNanos;
  private boolean wasAsked = true;
  private String lastRefusal = "";

  ReloadRounds(BlockingQueue<O> occasions, WatchedFiles watched) {
    this.occasions = occasions;
    this.changes = new FileChanges(watched.files());
    this.pauseNanos = watched.pause().toNanos();
    changes.lookOnce();
    changes.took(watched.files());
  }

  /**
   * Waits for the next.
   *
   * @param reload the one for which it is time, too, if files have changed
   */
  O next(O reload) throws InterruptedException {
    while (true) {
      O next = pauseNanos == 0 ? occasions.take() : occasions.poll(pauseNanos, NANOSECONDS);
      if (next != null) {
        wasAsked = true;
        changes.lookOnce();
        return next;
      }
      if (changes.look()) {
        wasAsked = false;
        return reload;
      }
    }
  }

  /**
   * Reads files. What cannot be used is told and left: a running server must not end by a slip of
   * the pen. It is told once, unless somebody asked for it.
   */
  void read(Supplier<WatchedFiles> reading) {
    try {
      WatchedFiles read = reading.get();
      changes.took(read.files());
      lastRefusal = "";
    } catch (CommandException | ConfigurationException e) {
      tell(String.valueOf(e.getMessage()), null);
    } catch (RuntimeException e) { // Nobody thought of such a file: no reason to end either.
      tell(e.toString(), e);
    }
  }

  private void tell(String why, @Nullable Throwable unexpected) {
    if (wasAsked || !why.equals(lastRefusal)) {
      lastRefusal = why;
      LOG.error("goes on as before, since the configuration cannot be used: {}", why, unexpected);
    }
  }
}
