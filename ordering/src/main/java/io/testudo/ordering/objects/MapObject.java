package io.testudo.ordering.objects;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Keys and values. What an operation sends grows with what it changes, not with the map.
 *
 * <p><b>Times to live.</b> An entry that was put for a time ends at a moment that the client which
 * applies the operation names by its wall clock. From that moment on, by the reader's wall clock,
 * readers see no entry, and operations find none, by the clock of whoever applies them. So clocks
 * that differ by d make an entry live up to d longer or shorter. A value that is put without a time
 * stays, whatever the one before had.
 */
public final class MapObject {
  private static final Codec<Optional<Bytes>> VALUE = Codec.optional(Codec.BYTES);

  /**
   * A key and its value.
   *
   * @param value empty for none
   */
  public record Entry(Bytes key, Optional<Bytes> value) {
    static final Codec<Entry> CODEC =
        Codec.of(
            (entry, out) -> {
              out.writeBytes(entry.key());
              VALUE.write(entry.value(), out);
            },
            in -> new Entry(in.readBytes(), VALUE.read(in)));
  }

  /**
   * Sets a value if it is another one.
   *
   * @param expected what it must be; empty if there must be none
   * @param value empty to remove it
   */
  public record Swap(Bytes key, Optional<Bytes> expected, Optional<Bytes> value) {
    static final Codec<Swap> CODEC =
        Codec.of(
            (swap, out) -> {
              out.writeBytes(swap.key());
              VALUE.write(swap.expected(), out);
              VALUE.write(swap.value(), out);
            },
            in -> new Swap(in.readBytes(), VALUE.read(in), VALUE.read(in)));
  }

  private static final MapOperations BY_SYSTEM_CLOCK = new MapOperations(InstantSource.system());

  /** Sets and removes several at once. What is set stays, whatever it had for a time to live. */
  public static final Operation<MapState, List<Entry>, Nothing> PUT_ALL = BY_SYSTEM_CLOCK.putAll;

  /** Gives the value before. */
  public static final Operation<MapState, Entry, Optional<Bytes>> GET_AND_PUT =
      BY_SYSTEM_CLOCK.getAndPut;

  /** Whether the value was as expected and has changed. */
  public static final Operation<MapState, Swap, Boolean> COMPARE_AND_SET =
      BY_SYSTEM_CLOCK.compareAndSet;

  /** Whether there was such a key. */
  public static final Operation<MapState, Bytes, Boolean> REMOVE = BY_SYSTEM_CLOCK.remove;

  /** How many entries there were. */
  public static final Operation<MapState, Nothing, Integer> CLEAR = BY_SYSTEM_CLOCK.clear;

  /** All that a {@link MapTransaction} says. */
  public static final Operation<MapState, MapTransaction.Request, MapTransaction.Result> TRANSACT =
      BY_SYSTEM_CLOCK.transact;

  /** How many entries that had ended were removed. */
  public static final Operation<MapState, Nothing, Integer> PURGE = BY_SYSTEM_CLOCK.purge;

  public static final ObjectType<MapState> TYPE = BY_SYSTEM_CLOCK.type;

  private final ReplicatedObject<MapState> object;

  /** Those of its type, by some clock. */
  private final MapOperations operations;

  private MapObject(ReplicatedObject<MapState> object, MapOperations operations) {
    this.object = object;
    this.operations = operations;
  }

  public static MapObject open(ObjectSpace space, String name) {
    return open(space, name, BY_SYSTEM_CLOCK);
  }

  static MapObject open(ObjectSpace space, String name, MapOperations operations) {
    return new MapObject(space.open(name, operations.type), operations);
  }

  public CompletableFuture<Nothing> put(Bytes key, Bytes value) {
    return putAll(ImmutableMap.of(key, value));
  }

  /** As {@link #put(Bytes, Bytes)}, with texts in UTF-8. */
  public CompletableFuture<Nothing> put(String key, String value) {
    return put(Bytes.utf8(key), Bytes.utf8(value));
  }

  /** Puts a value that ends after this time. */
  public CompletableFuture<Nothing> put(Bytes key, Bytes value, Duration ttl) {
    return transaction()
        .then(list -> list.put(key, value, ttl))
        .submit()
        .thenApply(result -> Nothing.NOTHING);
  }

  /** As {@link #put(Bytes, Bytes, Duration)}, with texts in UTF-8. */
  public CompletableFuture<Nothing> put(String key, String value, Duration ttl) {
    return put(Bytes.utf8(key), Bytes.utf8(value), ttl);
  }

  /** Puts a value that ends when the one before would have ended, or stays if that would. */
  public CompletableFuture<Nothing> putKeepingExpiry(Bytes key, Bytes value) {
    return transaction()
        .then(list -> list.putKeepingExpiry(key, value))
        .submit()
        .thenApply(result -> Nothing.NOTHING);
  }

  /** Lets a value end after this time from now. Whether there is one. */
  public CompletableFuture<Boolean> renew(Bytes key, Duration ttl) {
    return succeeded(transaction().ifPresent(key).then(list -> list.renew(key, ttl)));
  }

  /** As {@link #renew(Bytes, Duration)}, with text in UTF-8. */
  public CompletableFuture<Boolean> renew(String key, Duration ttl) {
    return renew(Bytes.utf8(key), ttl);
  }

  /** Lets a value stay that would end. Whether there is one. */
  public CompletableFuture<Boolean> persist(Bytes key) {
    return succeeded(transaction().ifPresent(key).then(list -> list.persist(key)));
  }

  private static CompletableFuture<Boolean> succeeded(MapTransaction transaction) {
    return transaction.submit().thenApply(MapTransaction.Result::succeeded);
  }

  /** Begins conditions on several keys and what depends on them, all in one operation. */
  public MapTransaction transaction() {
    return new MapTransaction(this::submit);
  }

  CompletableFuture<MapTransaction.Result> submit(MapTransaction.Request request) {
    return object.submit(operations.transact, request);
  }

  /**
   * Removes entries that have ended, a thousand at most, and gives how many. Operations that put
   * remove some of them anyway; this is for maps into which nothing is put any more.
   */
  public CompletableFuture<Integer> purge() {
    return object.submit(operations.purge);
  }

  /** All of them, or none. */
  public CompletableFuture<Nothing> putAll(Map<Bytes, Bytes> entries) {
    return object.submit(
        operations.putAll,
        entries.entrySet().stream()
            .map(entry -> new Entry(entry.getKey(), Optional.of(entry.getValue())))
            .collect(ImmutableList.toImmutableList()));
  }

  /**
   * Gives the value before. It must be small enough for a result; {@link #put} takes longer ones.
   */
  public CompletableFuture<Optional<Bytes>> getAndPut(Bytes key, Bytes value) {
    return object.submit(operations.getAndPut, new Entry(key, Optional.of(value)));
  }

  /** Whether there was no value and this one was put. */
  public CompletableFuture<Boolean> putIfAbsent(Bytes key, Bytes value) {
    return compareAndSet(key, Optional.empty(), Optional.of(value));
  }

  /** Whether there was no value and this one was put, which ends after this time. */
  public CompletableFuture<Boolean> putIfAbsent(Bytes key, Bytes value, Duration ttl) {
    return succeeded(transaction().ifAbsent(key).then(list -> list.put(key, value, ttl)));
  }

  /**
   * Whether the value was as expected and has changed.
   *
   * @param expected empty if there must be no value
   * @param value empty to remove it
   */
  public CompletableFuture<Boolean> compareAndSet(
      Bytes key, Optional<Bytes> expected, Optional<Bytes> value) {
    return object.submit(operations.compareAndSet, new Swap(key, expected, value));
  }

  /** Whether there was such a key. */
  public CompletableFuture<Boolean> remove(Bytes key) {
    return object.submit(operations.remove, key);
  }

  /** As {@link #remove(Bytes)}, with text in UTF-8. */
  public CompletableFuture<Boolean> remove(String key) {
    return remove(Bytes.utf8(key));
  }

  /** How many entries there were. */
  public CompletableFuture<Integer> clear() {
    return object.submit(operations.clear);
  }

  public CompletableFuture<Optional<Bytes>> get(Bytes key) {
    return object.read(map -> map.get(key, operations.nowMillis()));
  }

  /** As {@link #get(Bytes)}, with text in UTF-8. */
  public CompletableFuture<Optional<Bytes>> get(String key) {
    return get(Bytes.utf8(key));
  }

  /** See {@link ReplicatedObject#readStale}. */
  public CompletableFuture<Optional<Bytes>> getStale(Bytes key) {
    return object.readStale(map -> map.get(key, operations.nowMillis()));
  }

  /** When a value ends; empty if it stays, or there is none. */
  public CompletableFuture<Optional<Instant>> expiry(Bytes key) {
    return object.read(
        map -> map.get(key, operations.nowMillis()).flatMap(value -> map.expiry(key)));
  }

  public CompletableFuture<Integer> size() {
    return object.read(map -> map.size(operations.nowMillis()));
  }

  /** The same, with another time limit for calls. */
  public MapObject withTimeout(Duration timeout) {
    return new MapObject(object.withTimeout(timeout), operations);
  }

  /** The same, with calls that ask these servers first; see {@link ReplicatedObject#withAccess}. */
  public MapObject withAccess(Access first) {
    return new MapObject(object.withAccess(first), operations);
  }

  /** For all that any object can do. */
  public ReplicatedObject<MapState> object() {
    return object;
  }
}
