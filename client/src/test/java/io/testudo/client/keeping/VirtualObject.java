package io.testudo.client.keeping;

import io.testudo.ordering.Applied;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.OperationId;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.ordering.VersionListener;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * An object in virtual time: linearizable, in the order of calls for each process, and as late as
 * the world wants. An operation whose time is over may still happen.
 */
final class VirtualObject<S> {
  private final VirtualWorld world;
  private final ObjectType<S> type;
  final long longestNanos;
  private S state;
  private long version;
  private final List<Handle> handles = new ArrayList<>();

  VirtualObject(VirtualWorld world, ObjectType<S> type, long longestNanos) {
    this.world = world;
    this.type = type;
    this.longestNanos = longestNanos;
    this.state = type.initial();
  }

  S state() {
    return state;
  }

  Handle handle(VirtualWorld.VirtualNode process) {
    Handle handle = new Handle(process);
    handles.add(handle);
    return handle;
  }

  private long delay() {
    return (long) (world.random.nextDouble() * longestNanos);
  }

  /** The object as one process has it. */
  final class Handle implements ReplicatedObject<S> {
    private final VirtualWorld.VirtualNode process;
    private long lastArrival;
    private Duration timeout = Duration.ofSeconds(10);
    private final List<VersionListener<S>> listeners = new ArrayList<>();
    private long lastTold = -1;
    int operations;

    Handle(VirtualWorld.VirtualNode process) {
      this.process = process;
    }

    int listeners() {
      return listeners.size();
    }

    @Override
    public String name() {
      return "virtual";
    }

    @Override
    public ObjectType<S> type() {
      return type;
    }

    @Override
    public <A, R, V> CompletableFuture<V> submit(
        Operation<S, A, R> operation, A argument, Function<? super Applied<R>, ? extends V> view) {
      operations++;
      CompletableFuture<V> future = new CompletableFuture<>();
      // Later calls do not overtake earlier ones; what was sent arrives, also of the dead.
      long arrival = Math.max(lastArrival, world.trueNanos() + delay());
      lastArrival = arrival;
      world.at(
          arrival - world.trueNanos(),
          () -> {
            Bytes sent = operation.arguments().encode(argument, 1 << 20, "argument");
            Operation.Step<S, R> step = operation.apply(state, operation.arguments().decode(sent));
            if (step.changed()) {
              S replayed = operation.replay(state, step.delta().orElseThrow());
              if (!replayed.equals(step.after())) {
                throw new AssertionError("a replay differs: " + replayed);
              }
              state = type.codec(1).orElseThrow().decode(type.encode(step.after()));
            }
            version++;
            handles.forEach(Handle::tell);
            Applied<R> applied = new Applied<>(new OperationId(1, version), version, step.result());
            world.at(delay(), () -> process.run(() -> future.complete(view.apply(applied))));
          });
      Surroundings.Pending unused =
          process.later(
              timeout.toNanos(),
              () ->
                  future.completeExceptionally(
                      new UnknownOutcomeException(name(), new OperationId(1, 1))));
      return future;
    }

    private void tell() {
      if (listeners.isEmpty()) {
        return;
      }
      Snapshot<S> snapshot = new Snapshot<>(version, state);
      world.at(
          delay(),
          () ->
              process.run(
                  () -> {
                    if (snapshot.version() > lastTold) {
                      lastTold = snapshot.version();
                      List.copyOf(listeners).forEach(it -> it.onVersion(snapshot));
                    }
                  }));
    }

    @Override
    public Subscription onVersion(VersionListener<S> listener) {
      listeners.add(listener);
      lastTold = -1;
      tell();
      return () -> listeners.remove(listener);
    }

    @Override
    public ReplicatedObject<S> withTimeout(Duration limit) {
      return this;
    }

    @Override
    public Duration timeout() {
      return timeout;
    }

    @Override
    public <V> CompletableFuture<V> readVersion(Function<? super Snapshot<S>, ? extends V> view) {
      return CompletableFuture.completedFuture(view.apply(new Snapshot<>(version, state)));
    }

    @Override
    public <V> CompletableFuture<V> readStaleVersion(
        Function<? super Snapshot<S>, ? extends V> view) {
      return readVersion(view);
    }

    @Override
    public <R> CompletableFuture<Optional<Applied<R>>> outcomeOf(
        OperationId id, Operation<S, ?, R> operation) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ReplicatedObject<S> withAccess(Access first) {
      return this;
    }

    @Override
    public CompletableFuture<Boolean> delete() {
      throw new UnsupportedOperationException("no recipe does that");
    }

    @Override
    public CompletableFuture<Boolean> sweep() {
      throw new UnsupportedOperationException("no recipe does that");
    }

    @Override
    public CompletableFuture<Boolean> expireAfter(TimeToLive time) {
      throw new UnsupportedOperationException("no recipe does that");
    }

    @Override
    public CompletableFuture<Optional<Instant>> expiry() {
      throw new UnsupportedOperationException("no recipe does that");
    }

    @Override
    public ReplicatedObject<S> createdWith(TimeToLive time) {
      throw new UnsupportedOperationException("no recipe does that");
    }
  }
}
