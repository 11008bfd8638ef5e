package io.testudo.client.examples;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.ordering.objects.LargeMap;
import io.testudo.ordering.objects.MapObject;
import io.testudo.ordering.objects.MapTransaction;
import io.testudo.quorum.Bytes;
import java.time.Duration;

/** Entries that end, transactions, and a map of more than an object can hold. */
public class MapsExample {
  public static void main(String[] args) {
    try (TestudoCluster cluster = TestudoCluster.start(4, 1);
        TestudoClient client = cluster.client()) {
      MapObject sessions = client.map("sessions");
      sessions.put("alice", "token 17", Duration.ofMinutes(30)).join();
      System.out.println("renewed: " + sessions.renew("alice", Duration.ofMinutes(30)).join());

      MapObject seats = client.map("seats");
      seats.put("12A", "free").join();
      MapTransaction.Result booked =
          seats
              .transaction()
              .ifEquals("12A", "free")
              .ifAbsent("alice")
              .then(list -> list.put("12A", "alice").put("alice", "12A"))
              .otherwise(list -> list.get("12A").get("alice"))
              .submit()
              .join();
      System.out.println("booked: " + booked.succeeded());

      LargeMap users = client.largeMap("users", 16);
      users.put("{alice}/name", "Alice").join();
      users.put("{alice}/town", "Rome").join();
      long shown =
          users
              .forEach((key, value) -> System.out.println(key.toText() + ": " + value.toText()))
              .join();
      System.out.println(shown + " of " + users.size().join());
      System.out.println(users.get("{alice}/town").join().map(Bytes::toText).orElse("nowhere"));
    }
  }
}
