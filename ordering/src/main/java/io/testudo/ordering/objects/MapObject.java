package io.testudo.ordering.objects;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Keys and values. What an operation sends grows with what it changes, not with the map. */
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

  private static final Codec<List<Entry>> EDITS = Codec.listOf(Entry.CODEC);

  /** Sets and removes several at once. */
  public static final Operation<MapState, List<Entry>, Nothing> PUT_ALL =
      Operation.of(1, "putAll", EDITS, Codec.NOTHING)
          .changing(EDITS, (map, entries) -> Change.to(entries, Nothing.NOTHING), MapObject::edit);

  /** Gives the value before. */
  public static final Operation<MapState, Entry, Optional<Bytes>> GET_AND_PUT =
      Operation.of(2, "getAndPut", Entry.CODEC, VALUE)
          .changing(
              EDITS,
              (map, entry) -> Change.to(ImmutableList.of(entry), map.get(entry.key())),
              MapObject::edit);

  /** Whether the value was as expected and has changed. */
  public static final Operation<MapState, Swap, Boolean> COMPARE_AND_SET =
      Operation.of(3, "compareAndSet", Swap.CODEC, Codec.BOOLEAN)
          .changing(
              EDITS,
              (map, swap) ->
                  map.get(swap.key()).equals(swap.expected())
                      ? Change.to(ImmutableList.of(new Entry(swap.key(), swap.value())), true)
                      : Change.none(false),
              MapObject::edit);

  /** Whether there was such a key. */
  public static final Operation<MapState, Bytes, Boolean> REMOVE =
      Operation.of(4, "remove", Codec.BYTES, Codec.BOOLEAN)
          .changing(
              Codec.BYTES,
              (map, key) -> map.get(key).isPresent() ? Change.to(key, true) : Change.none(false),
              MapState::without);

  /** How many entries there were. */
  public static final Operation<MapState, Nothing, Integer> CLEAR =
      Operation.of(5, "clear", Codec.INT)
          .changing(
              Codec.NOTHING,
              (map, nothing) -> Change.to(nothing, map.size()),
              (map, nothing) -> MapState.EMPTY);

  public static final ObjectType<MapState> TYPE =
      ObjectType.of(3, "map", MapState.CODEC, MapState.EMPTY)
          .with(PUT_ALL)
          .with(GET_AND_PUT)
          .with(COMPARE_AND_SET)
          .with(REMOVE)
          .with(CLEAR)
          .sized(MapState::bytes);

  private static MapState edit(MapState map, List<Entry> entries) {
    MapState edited = map;
    for (Entry entry : entries) {
      edited =
          entry.value().isPresent()
              ? edited.with(entry.key(), entry.value().get())
              : edited.without(entry.key());
    }
    return edited;
  }

  private final ReplicatedObject<MapState> object;

  private MapObject(ReplicatedObject<MapState> object) {
    this.object = object;
  }

  public static MapObject open(ObjectSpace space, String name) {
    return new MapObject(space.open(name, TYPE));
  }

  public CompletableFuture<Nothing> put(Bytes key, Bytes value) {
    return putAll(ImmutableMap.of(key, value));
  }

  /** As {@link #put(Bytes, Bytes)}, with texts in UTF-8. */
  public CompletableFuture<Nothing> put(String key, String value) {
    return put(Bytes.utf8(key), Bytes.utf8(value));
  }

  /** All of them, or none. */
  public CompletableFuture<Nothing> putAll(Map<Bytes, Bytes> entries) {
    return object.submit(
        PUT_ALL,
        entries.entrySet().stream()
            .map(entry -> new Entry(entry.getKey(), Optional.of(entry.getValue())))
            .collect(ImmutableList.toImmutableList()));
  }

  /**
   * Gives the value before. It must be small enough for a result; {@link #put} takes longer ones.
   */
  public CompletableFuture<Optional<Bytes>> getAndPut(Bytes key, Bytes value) {
    return object.submit(GET_AND_PUT, new Entry(key, Optional.of(value)));
  }

  /** Whether there was no value and this one was put. */
  public CompletableFuture<Boolean> putIfAbsent(Bytes key, Bytes value) {
    return compareAndSet(key, Optional.empty(), Optional.of(value));
  }

  /**
   * Whether the value was as expected and has changed.
   *
   * @param expected empty if there must be no value
   * @param value empty to remove it
   */
  public CompletableFuture<Boolean> compareAndSet(
      Bytes key, Optional<Bytes> expected, Optional<Bytes> value) {
    return object.submit(COMPARE_AND_SET, new Swap(key, expected, value));
  }

  /** Whether there was such a key. */
  public CompletableFuture<Boolean> remove(Bytes key) {
    return object.submit(REMOVE, key);
  }

  /** As {@link #remove(Bytes)}, with text in UTF-8. */
  public CompletableFuture<Boolean> remove(String key) {
    return remove(Bytes.utf8(key));
  }

  /** How many entries there were. */
  public CompletableFuture<Integer> clear() {
    return object.submit(CLEAR);
  }

  public CompletableFuture<Optional<Bytes>> get(Bytes key) {
    return object.read(map -> map.get(key));
  }

  /** As {@link #get(Bytes)}, with text in UTF-8. */
  public CompletableFuture<Optional<Bytes>> get(String key) {
    return get(Bytes.utf8(key));
  }

  /** See {@link ReplicatedObject#readStale}. */
  public CompletableFuture<Optional<Bytes>> getStale(Bytes key) {
    return object.readStale(map -> map.get(key));
  }

  public CompletableFuture<Integer> size() {
    return object.read(MapState::size);
  }

  /** The same, with another time limit for calls. */
  public MapObject withTimeout(Duration timeout) {
    return new MapObject(object.withTimeout(timeout));
  }

  /** The same, with calls that ask these servers first; see {@link ReplicatedObject#withAccess}. */
  public MapObject withAccess(Access first) {
    return new MapObject(object.withAccess(first));
  }

  /** For all that any object can do. */
  public ReplicatedObject<MapState> object() {
    return object;
  }
}
