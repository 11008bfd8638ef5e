package io.testudo.peers.etcd.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.election.CampaignResponse;
import io.etcd.jetcd.lock.LockResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** jetcd's lock and election. */
@SuppressWarnings("try") // What keeps a lease alive is only closed.
final class JetcdExample {
  private JetcdExample() {}

  static void lock(Client client, LongConsumer work) throws Exception {
    // [lock]
    long lease = client.getLeaseClient().grant(10).get().getID();
    try (CloseableClient renewal =
        client.getLeaseClient().keepAlive(lease, Observers.observer(response -> {}))) {
      ByteSequence name = ByteSequence.from("orders", UTF_8);
      LockResponse locked = client.getLockClient().lock(name, lease).get(5, TimeUnit.SECONDS);
      work.accept(locked.getHeader().getRevision());
      client.getLockClient().unlock(locked.getKey()).get();
    } finally {
      // Also if the wait was too long: the request would stay in the queue otherwise.
      client.getLeaseClient().revoke(lease).get();
    }
    // [end]
  }

  static long lead(Client client, long lease) throws Exception {
    // [lead]
    CampaignResponse won =
        client
            .getElectionClient()
            .campaign(ByteSequence.from("leader", UTF_8), lease, ByteSequence.from("a", UTF_8))
            .get();
    return won.getLeader().getRevision();
    // [end]
  }
}
