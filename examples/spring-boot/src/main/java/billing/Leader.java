package billing;

import io.testudo.client.TestudoClient;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * One of the instances leads, for as long as it has a lease that renews itself. Its term is the
 * fencing token: larger than that of any leader before it. It waits without asking again and again.
 */
@Component
public class Leader implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(Leader.class);

  private final TestudoClient testudo;

  /** Guarded by this; null while it does not run. */
  private CompletableFuture<Lease> term;

  Leader(TestudoClient testudo) {
    this.testudo = testudo;
  }

  /** The term of this instance if it leads now. */
  public synchronized OptionalLong term() {
    Lease lease = term == null ? null : now();
    return lease != null && lease.isHeld()
        ? OptionalLong.of(lease.fencingToken())
        : OptionalLong.empty();
  }

  private Lease now() {
    try {
      return term.getNow(null);
    } catch (CompletionException e) {
      return null; // The client is closed, or lacks the right to the lock.
    }
  }

  @Override
  public synchronized void start() {
    if (term == null) {
      contend();
    }
  }

  private void contend() {
    DistributedLock lock =
        testudo.lock(
            "billing/leader", LockOptions.standard().withAutoRenewal(LockOptions.MAX_TIME));
    term = lock.acquireAsync();
    CompletableFuture<Void> unused =
        term.thenAccept(
            lease -> {
              LOG.info("leads from now on, in term {}", lease.fencingToken());
              lease.onLost(this::lost);
            });
  }

  private synchronized void lost() {
    LOG.warn("leads no longer");
    if (term != null) {
      contend();
    }
  }

  @Override
  public synchronized void stop() {
    CompletableFuture<Lease> last = term;
    term = null;
    if (last != null && !last.cancel(false)) {
      CompletableFuture<Void> unused = last.thenAccept(Lease::close);
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return term != null;
  }
}
