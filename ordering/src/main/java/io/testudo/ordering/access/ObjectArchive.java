package io.testudo.ordering.access;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.typed.ArchiveModel;
import io.testudo.ordering.typed.ArchiveModel.Restored;
import io.testudo.ordering.typed.ArchivedState;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads objects of any type as a whole, and restores them. It needs a client of its own, in which
 * nothing else opens these objects; that keeps all of them in memory, so a new one is needed after
 * some.
 */
public final class ObjectArchive {
  /** Not a monitor: code of callers may run while it is held, which would pin virtual threads. */
  private final ReentrantLock turn = new ReentrantLock();

  private final ObjectClient client;
  private final ImmutableList<ObjectType<?>> types;
  private final Duration timeout;

  /** Guarded by {@link #turn}. */
  private final Map<String, ArchiveModel> models = new HashMap<>();

  /**
   * An archive.
   *
   * @param types whose states are known here
   * @param timeout after which a call fails
   */
  public ObjectArchive(
      ObjectClient client, Collection<? extends ObjectType<?>> types, Duration timeout) {
    this.client = client;
    this.types = ImmutableList.copyOf(types);
    this.timeout = ObjectClient.checkTimeout(timeout);
  }

  /**
   * An object as it was at one moment.
   *
   * @param version 0 if nobody has changed it yet
   */
  public record Archived(long version, ArchivedState state) {}

  private ArchiveModel model(String name) {
    turn.lock();
    try {
      return models.computeIfAbsent(name, any -> new ArchiveModel(types));
    } finally {
      turn.unlock();
    }
  }

  /** The object with everything that was answered to anybody before. */
  public CompletableFuture<Archived> read(String name) {
    Reply<ReadResult, Archived> reply =
        new Reply<>(
            client.callbacks(),
            result -> new Archived(result.version(), (ArchivedState) result.state()));
    reply.awaits(
        client.machine().call(new ReadObject(name, model(name), timeout.toNanos()), reply));
    return reply.future();
  }

  /**
   * Lets an object be as it was written down, in one operation, if nobody has changed it yet.
   *
   * @param state with its type and version, as {@link ArchiveModel#encoded} gave it
   * @param overwrites whether that may also replace another state of the same type
   * @throws MalformedValueException if it is no state of its type
   */
  public CompletableFuture<Restored> restore(String name, Bytes state, boolean overwrites) {
    ArchiveModel model = model(name);
    Bytes operation = model.stage(state, overwrites);
    Reply<OperationResult, Restored> reply =
        new Reply<>(client.callbacks(), result -> ArchiveModel.restored(result.result()));
    reply.awaits(
        client
            .machine()
            .call(new SubmitOperation(name, model, operation, timeout.toNanos()), reply));
    return reply.future();
  }
}
