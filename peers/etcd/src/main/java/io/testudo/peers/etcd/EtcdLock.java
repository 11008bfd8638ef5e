package io.testudo.peers.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lock;
import io.testudo.bench.driver.PeerLock;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** etcd's lock, with a lease for each caller. */
final class EtcdLock implements PeerLock {
  /** Longer than any run, so that nothing has to renew it. */
  private static final long LEASE_SECONDS = 24 * 3_600;

  private final Lock locks;
  private final ByteSequence name;
  private final long lease;

  /** While it is held; what asks for it happens before what gives it back. */
  private @Nullable ByteSequence held;

  private EtcdLock(Lock locks, ByteSequence name, long lease) {
    this.locks = locks;
    this.name = name;
    this.lease = lease;
  }

  static EtcdLock with(Client client, ByteSequence name)
      throws ExecutionException, InterruptedException {
    long lease = client.getLeaseClient().grant(LEASE_SECONDS).get().getID();
    return new EtcdLock(client.getLockClient(), name, lease);
  }

  @Override
  public void lock() throws ExecutionException, InterruptedException {
    held = locks.lock(name, lease).get().getKey();
  }

  @Override
  public void unlock() throws ExecutionException, InterruptedException {
    var unused = locks.unlock(Objects.requireNonNull(held, "not held")).get();
  }

  @Override
  public CompletionStage<?> lockAsync() {
    return locks.lock(name, lease).thenAccept(response -> held = response.getKey());
  }

  @Override
  public CompletionStage<?> unlockAsync() {
    return locks.unlock(Objects.requireNonNull(held, "not held"));
  }
}
