package io.testudo.client;

import io.testudo.mutex.Lease;
import io.testudo.mutex.LockObserver;
import io.testudo.quorum.TestudoException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All listeners of a client. One that throws does not disturb the others, nor the client. */
final class Listeners implements ClientListener {
  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final List<ClientListener> all = new CopyOnWriteArrayList<>();

  TestudoClient.Registration add(ClientListener listener) {
    all.add(listener);
    return () -> all.remove(listener);
  }

  @Override
  public LockObserver requested(String lock) {
    if (all.isEmpty()) {
      return LockObserver.NONE;
    }
    List<LockObserver> observers = new CopyOnWriteArrayList<>();
    tell(all, listener -> observers.add(listener.requested(lock)));
    return new Observers(observers);
  }

  @Override
  public void retried(String lock) {
    tell(all, listener -> listener.retried(lock));
  }

  @Override
  public void suspected(String server, String reason) {
    tell(all, listener -> listener.suspected(server, reason));
  }

  @Override
  public void reloaded(List<String> what) {
    tell(all, listener -> listener.reloaded(what));
  }

  @Override
  public void notReloaded(String reason) {
    tell(all, listener -> listener.notReloaded(reason));
  }

  private static <L> void tell(List<L> listeners, Consumer<L> what) {
    for (L listener : listeners) {
      try {
        what.accept(listener);
      } catch (RuntimeException | Error e) { // A library of the wrong version, above all.
        LOG.warn("a listener of a Testudo client failed, and is told of what comes next", e);
      }
    }
  }

  /** Of one request. */
  private record Observers(List<LockObserver> all) implements LockObserver {
    @Override
    public void acquired(Lease lease) {
      tell(all, observer -> observer.acquired(lease));
    }

    @Override
    public void notAcquired(TestudoException reason) {
      tell(all, observer -> observer.notAcquired(reason));
    }

    @Override
    public void withdrawn() {
      tell(all, LockObserver::withdrawn);
    }

    @Override
    public void released() {
      tell(all, LockObserver::released);
    }

    @Override
    public void lost() {
      tell(all, LockObserver::lost);
    }
  }
}
