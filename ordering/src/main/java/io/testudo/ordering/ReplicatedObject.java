package io.testudo.ordering;

import io.testudo.quorum.Access;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A typed object on servers of which b may lie. All clients see its operations in one order.
 *
 * <h2>What it promises</h2>
 *
 * <ul>
 *   <li><b>In any asynchrony</b>, whatever b servers do: operations and reads are linearizable.
 *       Each takes effect at one moment between its call and its answer, and all clients agree on
 *       the order. An operation is done at most once, and gives the same result however often one
 *       asks. The operations of one client on one object take effect in the order of their calls.
 *   <li><b>While a quorum of servers answers</b> and clients that order at the same time do not
 *       overtake each other for ever: every operation is done.
 *   <li><b>Not promised</b>: that an operation whose time is over does not happen. See {@link
 *       #submit}.
 * </ul>
 *
 * An operation is applied by one client, not necessarily by its submitter, on that client's loop;
 * what it did and its result are copied. So it may use chance and clocks. It must not block, and
 * must not change the state that it is given.
 *
 * <p>Futures fail with exceptions whose {@code outcome()} says whether the operation happened. What
 * is chained to them runs on the client's executor. Any thread may use an object.
 *
 * @param <S> its states, which are immutable
 */
public interface ReplicatedObject<S> {
  /** What servers know it by. */
  String name();

  ObjectType<S> type();

  /**
   * Has an operation done.
   *
   * <p>If its time is over the future fails with an {@link UnknownOutcomeException}, which has the
   * id of the operation for {@link #outcomeOf}. The operation is not withdrawn: the client goes on
   * with it, because the client's later operations on the object follow it. The same is true of a
   * future that is cancelled, or ended in any other way: nobody hears the result, and the operation
   * may happen, or not if the cancellation was faster than the client's loop.
   *
   * @return fails with an {@link OperationFailedException} if the operation threw when applied, or
   *     a {@link ValueTooLargeException}: it changed nothing then
   */
  default <A, R> CompletableFuture<R> submit(Operation<S, A, R> operation, A argument) {
    return submit(operation, argument, Applied::result);
  }

  /** As {@link #submit(Operation, Object)}, and tells the operation's id and version. */
  default <A, R> CompletableFuture<Applied<R>> submitTraced(
      Operation<S, A, R> operation, A argument) {
    return submit(operation, argument, Function.identity());
  }

  /**
   * As {@link #submit(Operation, Object)}, for a view of the answer.
   *
   * @param view made where what is chained to futures runs
   */
  <A, R, V> CompletableFuture<V> submit(
      Operation<S, A, R> operation, A argument, Function<? super Applied<R>, ? extends V> view);

  /** As {@link #submit(Operation, Object)}, for an operation without argument. */
  default <R> CompletableFuture<R> submit(Operation<S, Nothing, R> operation) {
    return submit(operation, Nothing.NOTHING);
  }

  /**
   * Asks what came of an operation. One of this client that is still in progress is waited for.
   *
   * @param operation that the id names, to read its result
   * @return empty if the object does not contain it. If its submitter had sent it to servers it may
   *     still happen. Fails as {@link #submit} did or would have, and with a {@link
   *     ResultExpiredException} if it happened but its result is no longer kept. After very many
   *     operations of others it is no longer known whether it happened: an {@link
   *     UnknownOutcomeException}, and it will not happen any more
   */
  <R> CompletableFuture<Optional<Applied<R>>> outcomeOf(
      OperationId id, Operation<S, ?, R> operation);

  /**
   * Reads. The state contains every operation that was answered, to whomever, before this call.
   *
   * @param view made where what is chained to futures runs
   */
  default <V> CompletableFuture<V> read(Function<? super S, ? extends V> view) {
    return readVersion(snapshot -> view.apply(snapshot.state()));
  }

  /** As {@link #read}, with the version. */
  <V> CompletableFuture<V> readVersion(Function<? super Snapshot<S>, ? extends V> view);

  /**
   * Reads what servers have published. It may lack operations that were answered already, of this
   * client too, but is never older than what this client saw before. It takes one round trip and
   * never disturbs those who order.
   */
  default <V> CompletableFuture<V> readStale(Function<? super S, ? extends V> view) {
    return readStaleVersion(snapshot -> view.apply(snapshot.state()));
  }

  /** As {@link #readStale}, with the version. */
  <V> CompletableFuture<V> readStaleVersion(Function<? super Snapshot<S>, ? extends V> view);

  /**
   * Calls a listener with new versions, beginning with the present one. Each version is told at
   * most once, in order, one call after the other. Versions may be skipped: a listener that is
   * slow, or an object that changes fast, hears of the latest only. The latest is told in the end,
   * as long as a quorum of servers answers. Servers tell of changes, and the client looks at once
   * after operations and reads of its own, and every few seconds in case that was lost. Calls are
   * made on the client's executor, never on its loop unless that is the executor.
   */
  Subscription onVersion(VersionListener<S> listener);

  /**
   * Deletes the object, whatever it is: from then on it is as if it were new, for all clients, and
   * of any type. Servers give back the room of its state and of what led to it. What was done
   * before is never done again: that is all that they go on to keep. It needs the right to order,
   * as all that says when an object ends.
   *
   * @return whether there was something; fails as {@link #submit} does
   */
  CompletableFuture<Boolean> delete();

  /**
   * Sets for how long the object is there from now on. After that it is as if it were deleted, for
   * all who look; it takes room until somebody reads it, changes it or {@linkplain #sweep sweeps}.
   *
   * @return whether there is such an object; false if there is none, and nothing was set
   */
  CompletableFuture<Boolean> expireAfter(TimeToLive time);

  /** When the object ends; empty if it is not there, or has no end. */
  CompletableFuture<Optional<Instant>> expiry();

  /** Deletes the object if its time is over by the clock of this client; whether it did. */
  CompletableFuture<Boolean> sweep();

  /** The same object, whose operations give it a time to live if they make it. */
  ReplicatedObject<S> createdWith(TimeToLive time);

  /** The same object, whose calls fail if they take longer. */
  ReplicatedObject<S> withTimeout(Duration timeout);

  /** After which calls fail. */
  Duration timeout();

  /**
   * The same object, whose calls ask these servers first, whatever the configuration says. What
   * counts is who answers, so any call may choose. Operations go out together: while one that asks
   * all is under way, the others of the same object and client do, too.
   */
  ReplicatedObject<S> withAccess(Access first);
}
