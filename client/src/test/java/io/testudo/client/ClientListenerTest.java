package io.testudo.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.junit.TestudoClusterExtension;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClientListenerTest {
  @RegisterExtension
  private static final TestudoClusterExtension CLUSTER = TestudoClusterExtension.of(4, 1);

  private final List<String> heard = new CopyOnWriteArrayList<>();

  private final class Hears implements ClientListener {
    @Override
    public LockObserver requested(String lock) {
      return new LockObserver() {
        @Override
        public void acquired(Lease lease) {
          heard.add(lease.lockName());
        }

        @Override
        public void released() {
          heard.add("released");
        }
      };
    }

    @Override
    public void suspected(String server, String reason) {
      heard.add(server + " " + reason);
    }
  }

  private static final class Throws implements ClientListener {
    @Override
    public LockObserver requested(String lock) {
      throw new IllegalStateException("on purpose");
    }

    @Override
    public void suspected(String server, String reason) {
      throw new IllegalStateException("on purpose");
    }
  }

  @Test
  void hearsUntilItIsClosedWhateverOthersThrow(TestudoClient client) throws Exception {
    client.listen(new Throws());
    TestudoClient.Registration registration = client.listen(new Hears());
    client.lock("orders").acquire().close();
    assertThat(heard).containsExactly("orders", "released");
    registration.close();
    client.lock("orders").acquire().close();
    assertThat(heard).hasSize(2);
  }

  @Test
  void hearsOfServersThatLied() {
    Listeners listeners = new Listeners();
    listeners.add(new Throws());
    listeners.add(new Hears());
    listeners.suspected("s2", "shows a rank with a forged seal");
    assertThat(heard).containsExactly("s2 shows a rank with a forged seal");
  }
}
