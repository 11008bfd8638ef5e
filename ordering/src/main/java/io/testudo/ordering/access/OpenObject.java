package io.testudo.ordering.access;

import io.testudo.ordering.Applied;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.OperationId;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.ResultExpiredException;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.ordering.VersionListener;
import io.testudo.ordering.client.AskOperation;
import io.testudo.ordering.client.OperationFate;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.typed.LifeOperations;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.protocol.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** An object of an {@link ObjectClient}. */
final class OpenObject<S> implements ReplicatedObject<S> {
  private final ObjectClient client;
  private final ObjectEntry<S> entry;
  private final Duration timeout;

  /** Whom its calls ask first; as the client usually does if empty. */
  private final Optional<Access> access;

  /** What an operation that makes the object gives it. */
  private final TimeToLive ttl;

  OpenObject(ObjectClient client, ObjectEntry<S> entry, Duration timeout) {
    this(client, entry, timeout, Optional.empty(), TimeToLive.ENDLESS);
  }

  private OpenObject(
      ObjectClient client,
      ObjectEntry<S> entry,
      Duration timeout,
      Optional<Access> access,
      TimeToLive ttl) {
    this.client = client;
    this.entry = entry;
    this.timeout = timeout;
    this.access = access;
    this.ttl = ttl;
  }

  @Override
  public String name() {
    return entry.name();
  }

  @Override
  public ObjectType<S> type() {
    return entry.model().type();
  }

  @Override
  public <A, R, V> CompletableFuture<V> submit(
      Operation<S, A, R> operation, A argument, Function<? super Applied<R>, ? extends V> view) {
    requireOfType(operation);
    Bytes body;
    try {
      Bytes typed = entry.model().operation(operation, argument);
      body = ttl.equals(TimeToLive.ENDLESS) ? typed : LifeOperations.create(ttl, typed);
    } catch (ValueTooLargeException e) {
      return CompletableFuture.failedFuture(e);
    }
    Reply<OperationResult, V> reply =
        new Reply<>(
            client.callbacks(),
            answer -> {
              entry.heard(answer.version());
              R result = entry.model().result(name(), operation, answer.result());
              return view.apply(
                  new Applied<>(answer.id().toOperationId(), answer.version(), result));
            });
    entry.submit(body, timeout.toNanos(), access, reply);
    return reply.future();
  }

  /** Has something done that does not depend on the type. */
  private CompletableFuture<Boolean> ofLife(Bytes operation, long timeoutNanos) {
    Reply<OperationResult, Boolean> reply =
        new Reply<>(
            client.callbacks(),
            answer -> {
              entry.heard(answer.version());
              return entry.model().told(name(), answer.result());
            });
    reply.awaits(
        client
            .machine()
            .call(
                new SubmitOperation(name(), entry.model(), operation, timeoutNanos, access),
                reply));
    return reply.future();
  }

  @Override
  public CompletableFuture<Boolean> delete() {
    long beganNanos = System.nanoTime();
    return ofLife(LifeOperations.delete(), timeout.toNanos())
        .thenCompose(
            wasThere -> {
              client.forget(entry);
              return bury(beganNanos, wasThere);
            });
  }

  /** The entry that follows a deletion lets servers drop what led to it. */
  private CompletableFuture<Boolean> bury(long beganNanos, boolean answer) {
    return settle(beganNanos).handle((isThere, failure) -> answer);
  }

  /**
   * Has it settled that an object is over, and its room given back. Tells whether it is there,
   * since by the clock of who orders that its time may not have come yet.
   */
  private CompletableFuture<Boolean> end(long beganNanos) {
    return settle(beganNanos)
        .thenCompose(
            isThere -> isThere ? CompletableFuture.completedFuture(true) : bury(beganNanos, false));
  }

  @Override
  public CompletableFuture<Boolean> sweep() {
    long beganNanos = System.nanoTime();
    return call(fresh(beganNanos), entry::isOver)
        .thenCompose(
            isOver ->
                isOver
                    ? end(beganNanos).thenApply(isThere -> !isThere)
                    : CompletableFuture.completedFuture(false));
  }

  @Override
  public CompletableFuture<Boolean> expireAfter(TimeToLive time) {
    return ofLife(LifeOperations.expireAfter(time), timeout.toNanos());
  }

  @Override
  public CompletableFuture<Optional<Instant>> expiry() {
    return call(fresh(System.nanoTime()), entry::end);
  }

  private void requireOfType(Operation<S, ?, ?> operation) {
    if (type().operation(operation.number()).filter(known -> known == operation).isEmpty()) {
      throw new IllegalArgumentException(
          "%s is no operation of %s; add it to the type.".formatted(operation, type()));
    }
  }

  @Override
  public <R> CompletableFuture<Optional<Applied<R>>> outcomeOf(
      OperationId id, Operation<S, ?, R> operation) {
    requireOfType(operation);
    return call(
        new AskOperation(name(), entry.model(), OpId.of(id), timeout.toNanos(), access),
        fate -> applied(id, operation, fate));
  }

  private <R> Optional<Applied<R>> applied(
      OperationId id, Operation<S, ?, R> operation, OperationFate fate) {
    if (fate.stage() == OperationFate.Stage.NOT_SEEN) {
      return Optional.empty();
    }
    if (fate.stage() == OperationFate.Stage.FORGOTTEN) {
      throw new UnknownOutcomeException(name(), id);
    }
    Bytes result = fate.result().orElseThrow(() -> new ResultExpiredException(name(), id));
    return Optional.of(
        new Applied<>(id, fate.version(), entry.model().result(name(), operation, result)));
  }

  @Override
  public <V> CompletableFuture<V> readVersion(Function<? super Snapshot<S>, ? extends V> view) {
    // By our clock it may have ended, by another's not: whoever may order has that settled first.
    long beganNanos = System.nanoTime();
    Reply<ReadResult, V> reply =
        new Reply<>(
            client.callbacks(),
            result -> seen(result, view),
            result ->
                result.mayOrder() && entry.isOver(result)
                    ? settle(beganNanos)
                        .exceptionallyCompose(OpenObject::unlessRefused)
                        .thenCompose(isThere -> readSettled(beganNanos, isThere, view))
                    : null);
    reply.awaits(client.machine().call(fresh(beganNanos), reply));
    return reply.future();
  }

  /** Who is not allowed to have it settled goes by its own clock, and has nothing to give back. */
  private static CompletableFuture<Boolean> unlessRefused(Throwable failure) {
    return failure instanceof NotAllowedException
        ? CompletableFuture.completedFuture(true)
        : CompletableFuture.failedFuture(failure);
  }

  /** In the time that is left of a call. */
  private CompletableFuture<Boolean> settle(long beganNanos) {
    return ofLife(LifeOperations.settle(), leftNanos(beganNanos));
  }

  private ReadObject fresh(long beganNanos) {
    return new ReadObject(name(), entry.model(), leftNanos(beganNanos)).with(access);
  }

  private long leftNanos(long beganNanos) {
    return Math.max(1, timeout.toNanos() - (System.nanoTime() - beganNanos));
  }

  /** Its answer does not depend on whether the room of what has ended can be given back. */
  private <V> CompletableFuture<V> readSettled(
      long beganNanos, boolean isThere, Function<? super Snapshot<S>, ? extends V> view) {
    CompletableFuture<V> read = readAgain(beganNanos, view);
    return isThere ? read : bury(beganNanos, false).thenCombine(read, (unused, value) -> value);
  }

  private <V> CompletableFuture<V> readAgain(
      long beganNanos, Function<? super Snapshot<S>, ? extends V> view) {
    return call(fresh(beganNanos), result -> seen(result, view));
  }

  @Override
  public <V> CompletableFuture<V> readStaleVersion(
      Function<? super Snapshot<S>, ? extends V> view) {
    return call(
        ReadObject.published(name(), entry.model(), timeout.toNanos()).with(access),
        result -> seen(result, view));
  }

  private <V> V seen(ReadResult result, Function<? super Snapshot<S>, ? extends V> view) {
    Snapshot<S> snapshot = entry.snapshot(result);
    entry.heard(snapshot.version());
    return view.apply(snapshot);
  }

  private <T, V> CompletableFuture<V> call(Call<T> call, Function<T, V> view) {
    Reply<T, V> reply = new Reply<>(client.callbacks(), view);
    reply.awaits(client.machine().call(call, reply));
    return reply.future();
  }

  @Override
  public Subscription onVersion(VersionListener<S> listener) {
    Watch<S> watch =
        new Watch<>(entry, client.machine(), client.callbacks(), client.pollEvery(), listener);
    entry.add(watch);
    watch.look();
    return watch;
  }

  @Override
  public ReplicatedObject<S> withTimeout(Duration limit) {
    return new OpenObject<>(client, entry, ObjectClient.checkTimeout(limit), access, ttl);
  }

  @Override
  public ReplicatedObject<S> withAccess(Access first) {
    return new OpenObject<>(client, entry, timeout, Optional.of(first), ttl);
  }

  @Override
  public ReplicatedObject<S> createdWith(TimeToLive time) {
    return new OpenObject<>(client, entry, timeout, access, time);
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public String toString() {
    return "ReplicatedObject(" + name() + ", " + type() + ")";
  }
}
