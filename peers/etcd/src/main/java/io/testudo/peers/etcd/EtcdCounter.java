package io.testudo.peers.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.testudo.bench.driver.PeerCounter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * A number in a key. etcd adds nothing itself: a transaction writes the next number if the key has
 * not changed since it was seen, and else gives what it is now, to try again with.
 */
final class EtcdCounter implements PeerCounter {
  private final KV store;
  private final ByteSequence key;

  /** As last seen; one operation at a time. */
  private long number;

  private long revision;

  EtcdCounter(KV store, ByteSequence key) {
    this.store = store;
    this.key = key;
  }

  private CompletableFuture<TxnResponse> attempt() {
    return store
        .txn()
        .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision)))
        .Then(Op.put(key, EtcdDriver.key(Long.toString(number + 1)), PutOption.DEFAULT))
        .Else(Op.get(key, GetOption.DEFAULT))
        .commit();
  }

  /** Whether the attempt was in time; else what to try with next is known. */
  private boolean succeeded(TxnResponse response) {
    if (response.isSucceeded()) {
      number++;
      revision = response.getHeader().getRevision();
      return true;
    }
    List<KeyValue> found = response.getGetResponses().get(0).getKvs();
    KeyValue now = found.get(0);
    number = Long.parseLong(now.getValue().toString(StandardCharsets.UTF_8));
    revision = now.getModRevision();
    return false;
  }

  @Override
  public long increment() throws ExecutionException, InterruptedException {
    while (!succeeded(attempt().get())) {
      // Another was faster.
    }
    return number;
  }

  @Override
  public CompletionStage<Long> incrementAsync() {
    return attempt()
        .thenCompose(
            response ->
                succeeded(response) ? CompletableFuture.completedFuture(number) : incrementAsync());
  }

  @Override
  public long get() throws ExecutionException, InterruptedException {
    List<KeyValue> found = store.get(key).get().getKvs();
    return found.isEmpty()
        ? 0
        : Long.parseLong(found.get(0).getValue().toString(StandardCharsets.UTF_8));
  }
}
