package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockListener;
import io.testudo.mutex.LockObserver;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.NettyClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a listener hears of requests: their end once, and then that of the lease. */
@Timeout(120)
class LockListenerTest {
  private final FakeBackend backend = new FakeBackend();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  @AutoClose private final NettyClient connections = FakeBackend.connections();

  @AutoClose
  private final LockClient client =
      LockClient.on(connections, 4, 1)
          .backend(backend)
          .options(FakeBackend.LONG)
          .listener(new Listener())
          .build();

  private final class Listener implements LockListener {
    @Override
    public LockObserver requested(String lock) {
      heard.add("asked for " + lock);
      return new Observer();
    }
  }

  private final class Observer implements LockObserver {
    @Override
    public void acquired(Lease lease) {
      heard.add("acquired " + lease.lockName());
    }

    @Override
    public void notAcquired(TestudoException reason) {
      heard.add("not acquired: " + reason.getClass().getSimpleName());
    }

    @Override
    public void withdrawn() {
      heard.add("withdrawn");
    }

    @Override
    public void released() {
      heard.add("released");
    }

    @Override
    public void lost() {
      heard.add("lost");
    }
  }

  @Test
  void hearsOfALeaseThatIsGivenBack() throws Exception {
    Lease lease = client.lock("orders").acquire();
    lease.close();
    lease.close();
    assertThat(heard).containsExactly("asked for orders", "acquired orders", "released");
  }

  @Test
  void hearsOfALossOnce() throws Exception {
    Lease lease = client.lock("orders").acquire();
    client.close();
    lease.close();
    assertThat(heard).containsExactly("asked for orders", "acquired orders", "lost");
  }

  @Test
  void hearsOfARequestThatIsWithdrawnOrFails() throws Exception {
    DistributedLock lock = client.lock("orders");
    Lease held = lock.acquire();
    heard.clear();
    CompletableFuture<Lease> cancelled = lock.acquireAsync();
    Conditions.await("it waits", () -> backend.machine.waiting.get() == 1);
    cancelled.cancel(false);
    assertThat(heard).containsExactly("asked for orders", "withdrawn");
    Conditions.await("it is withdrawn", () -> backend.machine.withdrawn.get() == 1);
    heard.clear();
    CompletableFuture<Lease> closed = lock.acquireAsync();
    Conditions.await("it waits", () -> backend.machine.waiting.get() == 1);
    client.close();
    assertThat(closed.handle((lease, failure) -> failure).join()).isNotNull();
    assertThat(heard)
        .containsExactlyInAnyOrder("asked for orders", "not acquired: ClosedException", "lost");
    assertThat(held.isHeld()).isFalse();
  }
}
