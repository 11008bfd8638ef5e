package io.testudo.client.examples;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ReplicatedObject;
import java.util.UUID;

/** An account on four servers, of which one may lie. */
public class AccountExample {
  /** Draws a receipt at random: one client does, and all others copy what it drew. */
  static final Operation<Long, Long, String> BOOK =
      Operation.of(1, "book", Codec.LONG, Codec.STRING)
          .changing(
              (balance, cents) ->
                  balance + cents < 0
                      ? Change.none("refused")
                      : Change.to(balance + cents, "receipt " + UUID.randomUUID()));

  static final ObjectType<Long> ACCOUNT = ObjectType.of(100, "account", Codec.LONG, 0L).with(BOOK);

  public static void main(String[] args) {
    try (TestudoCluster cluster = TestudoCluster.start(4, 1);
        TestudoClient client = cluster.client()) {
      ReplicatedObject<Long> account = client.object("accounts/alice", ACCOUNT);
      System.out.println(account.submit(BOOK, 100_00L).join());
      System.out.println(account.submit(BOOK, -300_00L).join());
      System.out.println(account.read(balance -> balance + " cents").join());
    }
  }
}
