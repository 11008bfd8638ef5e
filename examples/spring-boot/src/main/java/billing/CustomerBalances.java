package billing;

import io.testudo.client.TestudoClient;
import io.testudo.ordering.objects.MapObject;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.stereotype.Component;

/** Books under a lock for each customer, with the LockRegistry that the starter has made. */
@Component
public class CustomerBalances {
  private final LockRegistry locks;
  private final TestudoClient testudo;

  CustomerBalances(LockRegistry locks, TestudoClient testudo) {
    this.locks = locks;
    this.testudo = testudo;
  }

  /** Adds an amount, and gives the balance. No instance reads while another books. */
  public long book(String customer, long cents) throws InterruptedException {
    return locks.executeLocked(
        "billing/customer/" + customer,
        () -> {
          MapObject balances = testudo.map("billing/balances");
          long before =
              balances.get(customer).join().map(text -> Long.parseLong(text.toText())).orElse(0L);
          balances.put(customer, Long.toString(before + cents)).join();
          return before + cents;
        });
  }
}
