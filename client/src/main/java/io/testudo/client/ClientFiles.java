package io.testudo.client;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.config.FileChanges;
import io.testudo.client.config.WatchedFiles;
import io.testudo.quorum.ConfigurationException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a client go on as its files say when they have changed. */
final class ClientFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ClientFiles.class);

  private final ClusterClient cluster;
  private final Supplier<ClientConfig> source;
  private final ClientListener listener;
  private final FileChanges changes;

  /** Not a monitor: files are read while it is held. */
  private final ReentrantLock reading = new ReentrantLock();

  /** Why what is there was not taken, when it was last told; guarded by {@link #reading}. */
  private String lastRefusal = "";

  /**
   * Of one client.
   *
   * @param source reads the files, but for keys
   */
  ClientFiles(ClusterClient cluster, Supplier<ClientConfig> source, ClientListener listener) {
    this.cluster = cluster;
    this.source = source;
    this.listener = listener;
    this.changes = new FileChanges(cluster.config().watched().files());
  }

  /** Looks again and again whether they have changed, if the configuration says so. */
  void watch() {
    WatchedFiles watched = cluster.config().watched();
    if (!watched.pause().isZero() && !watched.files().isEmpty()) {
      cluster.connections().every(watched.pause(), this::look);
    }
  }

  /** One look. */
  void look() {
    if (changes.look()) {
      try {
        read();
      } catch (RuntimeException e) {
        // It was told; what is there goes on, and another look follows.
      }
    }
  }

  /**
   * Reads them, whether they have changed or not.
   *
   * @throws ConfigurationException if they cannot be used; then nothing changes
   */
  void reload() {
    changes.lookOnce();
    read();
  }

  private void read() {
    try {
      List<String> taken = take();
      if (!taken.isEmpty()) {
        LOG.info("read {} again and took {}", cluster.config().file(), String.join(", ", taken));
        listener.reloaded(taken);
      }
    } catch (ConfigurationException e) {
      refused(String.valueOf(e.getMessage()), null);
      throw e;
    } catch (RuntimeException e) { // Nobody thought of such a file.
      refused(e.toString(), e);
      throw e;
    }
  }

  private void refused(String why, @Nullable Throwable unexpected) {
    if (isNews(why)) {
      LOG.warn("goes on as before, since what was read again cannot be used: {}", why, unexpected);
      listener.notReloaded(why);
    }
  }

  private List<String> take() {
    reading.lock();
    try {
      ClientConfig fresh = source.get();
      List<String> taken = cluster.take(fresh);
      changes.took(fresh.watched().files());
      lastRefusal = "";
      return taken;
    } finally {
      reading.unlock();
    }
  }

  /** A refusal is told once, not at each look. */
  private boolean isNews(String refusal) {
    reading.lock();
    try {
      boolean isNews = !refusal.equals(lastRefusal);
      lastRefusal = refusal;
      return isNews;
    } finally {
      reading.unlock();
    }
  }
}
