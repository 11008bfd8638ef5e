package io.testudo.ordering.objects;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.objects.MapObject.Entry;
import io.testudo.ordering.objects.MapObject.Swap;
import io.testudo.ordering.objects.MapTransaction.Action;
import io.testudo.quorum.Bytes;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * What can be done to maps. An entry ends by the clock of whoever applies an operation: that is
 * read once, when it is decided what the operation does, and never when that is done again.
 *
 * <p>Entries that have ended are removed beside what an operation has to do, a few at a time, so no
 * operation has to pay for many. More of them go if room is needed.
 */
final class MapOperations {
  /** As many are removed beside an operation, if there is no need for room. */
  static final int ENDED_AT_ONCE = 64;

  /** Of the keys of what is removed beside an operation: it has to fit with its argument. */
  private static final int MAX_ENDED_KEY_BYTES = 128 << 10;

  /** Keys that are too long to be removed beside an operation; so many are passed over. */
  private static final int MAX_PASSED = 64;

  /** As many are removed by one purge. */
  static final int MOST_PURGED = 1_000;

  private static final Codec<Optional<Bytes>> VALUE = Codec.optional(Codec.BYTES);
  private static final Codec<List<Entry>> ENTRIES = Codec.listOf(Entry.CODEC);
  private static final Codec<List<MapEdit>> EDITS = Codec.listOf(MapEdit.CODEC);

  private final InstantSource clock;

  final Operation<MapState, List<Entry>, Nothing> putAll =
      Operation.of(1, "putAll", ENTRIES, Codec.NOTHING)
          .changing(
              ENTRIES,
              (map, entries) -> Change.to(withEnded(map, entries), Nothing.NOTHING),
              MapOperations::edit);

  final Operation<MapState, Entry, Optional<Bytes>> getAndPut =
      Operation.of(2, "getAndPut", Entry.CODEC, VALUE)
          .changing(
              ENTRIES,
              (map, entry) ->
                  Change.to(withEnded(map, ImmutableList.of(entry)), get(map, entry.key())),
              MapOperations::edit);

  final Operation<MapState, Swap, Boolean> compareAndSet =
      Operation.of(3, "compareAndSet", Swap.CODEC, Codec.BOOLEAN)
          .changing(
              ENTRIES,
              (map, swap) ->
                  get(map, swap.key()).equals(swap.expected())
                      ? Change.to(
                          withEnded(map, ImmutableList.of(new Entry(swap.key(), swap.value()))),
                          true)
                      : Change.none(false),
              MapOperations::edit);

  final Operation<MapState, Bytes, Boolean> remove =
      Operation.of(4, "remove", Codec.BYTES, Codec.BOOLEAN)
          .changing(
              Codec.BYTES,
              (map, key) ->
                  map.holds(key) ? Change.to(key, get(map, key).isPresent()) : Change.none(false),
              MapState::without);

  final Operation<MapState, Nothing, Integer> clear =
      Operation.of(5, "clear", Codec.INT)
          .changing(
              Codec.NOTHING,
              (map, nothing) -> Change.to(nothing, map.size(nowMillis())),
              (map, nothing) -> MapState.EMPTY);

  final Operation<MapState, MapTransaction.Request, MapTransaction.Result> transact =
      Operation.of(6, "transact", MapTransaction.Request.CODEC, MapTransaction.Result.CODEC)
          .changing(EDITS, this::decide, MapOperations::redo);

  /** The first that have ended, so many of them: the state says which. */
  final Operation<MapState, Nothing, Integer> purge =
      Operation.of(7, "purge", Codec.INT)
          .changing(
              Codec.INT,
              (map, nothing) -> {
                int ended = Math.min(MOST_PURGED, ended(map, nowMillis(), MOST_PURGED).size());
                return ended == 0 ? Change.none(0) : Change.to(ended, ended);
              },
              (map, count) -> without(map, ended(map, Long.MAX_VALUE, count)));

  final ObjectType<MapState> type =
      ObjectType.of(3, "map", MapState.CODEC, MapState.EMPTY)
          .next(MapState.EXPIRING_CODEC, MapState::hasDeadlines)
          .with(putAll)
          .with(getAndPut)
          .with(compareAndSet)
          .with(remove)
          .with(clear)
          .with(transact)
          .with(purge)
          .sized(MapState::bytes);

  MapOperations(InstantSource clock) {
    this.clock = clock;
  }

  long nowMillis() {
    return clock.millis();
  }

  private Optional<Bytes> get(MapState map, Bytes key) {
    return map.get(key, nowMillis());
  }

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

  private static MapState redo(MapState map, List<MapEdit> edits) {
    MapState edited = map;
    for (MapEdit edit : edits) {
      edited = edit.edit(edited);
    }
    return edited;
  }

  private static MapState without(MapState map, List<Bytes> keys) {
    MapState shorter = map;
    for (Bytes key : keys) {
      shorter = shorter.without(key);
    }
    return shorter;
  }

  private static List<Bytes> ended(MapState map, long nowMillis, int most) {
    ImmutableList.Builder<Bytes> keys = ImmutableList.builder();
    int[] left = {most};
    if (most > 0) {
      map.forEachEnded(
          nowMillis,
          (key, bytes) -> {
            keys.add(key);
            return --left[0] > 0;
          });
    }
    return keys.build();
  }

  /** What is put and removed, and the removal of some entries that have ended. */
  private List<Entry> withEnded(MapState map, List<Entry> entries) {
    long nowMillis = nowMillis();
    if (ended(map, nowMillis, 1).isEmpty()) {
      return entries;
    }
    ImmutableList.Builder<Entry> all = ImmutableList.<Entry>builder().addAll(entries);
    removable(edit(map, entries), nowMillis).forEach(key -> all.add(new Entry(key, none())));
    return all.build();
  }

  private static Optional<Bytes> none() {
    return Optional.empty();
  }

  /** Which entries that have ended are removed beside an operation that leads to this state. */
  private static List<Bytes> removable(MapState map, long nowMillis) {
    ImmutableList.Builder<Bytes> keys = ImmutableList.builder();
    int[] found = {0};
    int[] passed = {0};
    int[] keyBytes = {0};
    int[] stateBytes = {map.bytes()};
    map.forEachEnded(
        nowMillis,
        (key, bytes) -> {
          boolean isFull = stateBytes[0] > ObjectLimits.MAX_STATE_BYTES;
          if (found[0] >= ENDED_AT_ONCE && !isFull) {
            return false;
          }
          if (keyBytes[0] + Sizes.of(key) > MAX_ENDED_KEY_BYTES) {
            return ++passed[0] < MAX_PASSED;
          }
          keys.add(key);
          found[0]++;
          keyBytes[0] += Sizes.of(key);
          stateBytes[0] -= bytes;
          return true;
        });
    return keys.build();
  }

  private Change<List<MapEdit>, MapTransaction.Result> decide(
      MapState map, MapTransaction.Request request) {
    long nowMillis = nowMillis();
    boolean holds =
        request.conditions().stream()
            .allMatch(condition -> condition.holds(map.get(condition.key(), nowMillis)));
    ImmutableList.Builder<MapEdit> edits = ImmutableList.builder();
    ImmutableList.Builder<Entry> reads = ImmutableList.builder();
    MapState after = map;
    for (Action action : holds ? request.then() : request.otherwise()) {
      Optional<Bytes> present = after.get(action.key(), nowMillis);
      if (action.deed() == MapTransaction.Deed.GET) {
        reads.add(new Entry(action.key(), present));
      } else {
        Optional<MapEdit> edit = edit(action, after, present, nowMillis);
        edit.ifPresent(edits::add);
        after = edit.isPresent() ? edit.get().edit(after) : after;
      }
    }
    boolean changes = !edits.build().isEmpty();
    if (changes) {
      removable(after, nowMillis).forEach(key -> edits.add(MapEdit.remove(key)));
    }
    MapTransaction.Result result = new MapTransaction.Result(holds, reads.build());
    return changes ? Change.to(edits.build(), result) : Change.none(result);
  }

  private static Optional<MapEdit> edit(
      Action action, MapState map, Optional<Bytes> present, long nowMillis) {
    Bytes key = action.key();
    long deadlineMillis = nowMillis + action.ttlMillis();
    return switch (action.deed()) {
      case PUT -> Optional.of(MapEdit.put(key, action.value().orElseThrow(), MapEdit.NEVER));
      case PUT_FOR -> Optional.of(MapEdit.put(key, action.value().orElseThrow(), deadlineMillis));
      case PUT_KEEPING_EXPIRY ->
          Optional.of(
              MapEdit.put(
                  key,
                  action.value().orElseThrow(),
                  present.isPresent() ? map.deadlineMillis(key) : MapEdit.NEVER));
      case REMOVE -> map.holds(key) ? Optional.of(MapEdit.remove(key)) : Optional.empty();
      case RENEW -> present.map(value -> MapEdit.end(key, deadlineMillis));
      case PERSIST -> present.map(value -> MapEdit.end(key, MapEdit.NEVER));
      case GET -> Optional.empty();
    };
  }
}
