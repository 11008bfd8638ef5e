package orders;

import io.testudo.client.TestudoClient;
import io.testudo.mutex.Lease;
import java.nio.file.Path;

public final class CountOrders {
  public static void main(String[] args) throws InterruptedException {
    try (TestudoClient client = TestudoClient.connect(Path.of(args[0]));
        Lease lease = client.lock("orders").acquire()) {
      long orders = client.counter("orders").increment().join();
      System.out.println("order " + orders + " under token " + lease.fencingToken());
    }
  }
}
