package io.testudo.node.watch;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ClusterView;
import io.testudo.client.cluster.Observer;
import io.testudo.client.config.ClientConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a cluster again and again, for all who watch: however many they are, the servers are
 * asked once. It looks often while somebody reads, and now and then otherwise, so that servers that
 * go back to an old disk are noticed.
 */
public final class ClusterWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

  /** Between two looks while nobody reads. */
  private static final Duration IDLE = Duration.ofSeconds(15);

  /** Who has read so lately will read again. */
  private static final Duration READ_LATELY = Duration.ofSeconds(10);

  /** Nobody waits longer for a look. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  /** Servers have so long to tell of names; one that is down costs that much. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ClientConfig config;
  private final ClusterClient cluster;
  private final Observer observer;
  private final List<String> prefixes;
  private final Duration patience;
  private final Duration interval;
  private final Thread looker;

  /** All below guarded by this. */
  private @Nullable ClusterLook latest;

  private @Nullable String json;
  private long lastReadNanos;
  private boolean wasRead;
  private boolean closed;

  private ClusterWatch(
      ClientConfig config, Duration timeout, Duration interval, List<String> prefixes) {
    this.config = config;
    this.cluster = ClusterClient.connect(config);
    this.observer = new Observer(cluster, timeout);
    this.prefixes = List.copyOf(prefixes);
    this.patience = timeout.compareTo(PATIENCE) < 0 ? timeout : PATIENCE;
    this.interval = interval;
    this.looker = new Thread(this::run, "testudo-watch");
    looker.setDaemon(true);
  }

  /**
   * Starts to look.
   *
   * @param timeout how long a look waits for servers
   * @param interval between two looks while somebody reads
   * @param prefixes the names of locks and objects that are listed
   */
  public static ClusterWatch start(
      ClientConfig config, Duration timeout, Duration interval, List<String> prefixes) {
    ClusterWatch watch = new ClusterWatch(config, timeout, interval, prefixes);
    watch.looker.start();
    return watch;
  }

  ClientConfig config() {
    return config;
  }

  private void run() {
    for (long number = 1; !isClosed(); number++) {
      try {
        ClusterLook look = look(number);
        note(look, look.json(config, interval));
        pause();
      } catch (InterruptedException e) {
        return; // It was closed.
      } catch (RuntimeException e) {
        if (!isClosed()) {
          LOG.error("a look at the cluster failed", e);
          pauseQuietly();
        }
      }
    }
  }

  private ClusterLook look(long number) throws InterruptedException {
    NameLists.Asked asked = NameLists.ask(cluster, prefixes, patience);
    ClusterView view = observer.look();
    return new ClusterLook(
        number,
        view,
        NameLists.of(asked, cluster.thresholds()),
        observer.mayAdminister(),
        Instant.now(),
        System.nanoTime());
  }

  private synchronized void note(ClusterLook look, String asJson) {
    latest = look;
    json = asJson;
    notifyAll();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void pause() throws InterruptedException {
    long beganNanos = System.nanoTime();
    while (!closed) {
      long left = (isWanted() ? interval : IDLE).toNanos() - (System.nanoTime() - beganNanos);
      if (left <= 0) {
        return;
      }
      wait(left / 1_000_000 + 1);
    }
  }

  private void pauseQuietly() {
    try {
      pause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isWanted() {
    return wasRead && System.nanoTime() - lastReadNanos < READ_LATELY.toNanos();
  }

  /** What the page shows; waits for a look if there is none that is fresh, but not for long. */
  synchronized @Nullable String read() throws InterruptedException {
    lastReadNanos = System.nanoTime();
    wasRead = true;
    notifyAll();
    awaitFresh();
    return json;
  }

  /** The newest look; nobody who asks for this makes looks more frequent. */
  synchronized @Nullable ClusterLook glance() throws InterruptedException {
    if (latest == null) {
      awaitFresh();
    }
    return latest;
  }

  private void awaitFresh() throws InterruptedException {
    long beganNanos = System.nanoTime();
    while (!closed && !isFresh(beganNanos)) {
      long left = MAX_WAIT.toNanos() - (System.nanoTime() - beganNanos);
      if (left <= 0) {
        return;
      }
      wait(left / 1_000_000 + 1);
    }
  }

  private boolean isFresh(long nowNanos) {
    return latest != null && nowNanos - latest.elapsedNanos() < interval.multipliedBy(2).toNanos();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    looker.interrupt();
    cluster.close();
  }
}
