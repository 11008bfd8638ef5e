package io.testudo.ordering.objects;

import com.google.common.collect.ImmutableMap;
import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ValueReader;
import io.testudo.quorum.Bytes;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values, sorted by the bytes of the keys. Immutable. Some entries have a time at which
 * they end: from then on they are not shown, by this machine's clock, although they are kept until
 * an operation removes them.
 */
public final class MapState {
  private static final Comparator<Bytes> ORDER = Comparator.naturalOrder();

  /** When an entry ends; by time, then by key. */
  private record Deadline(long millis, Bytes key) {
    static final Comparator<Deadline> ORDER =
        Comparator.comparingLong(Deadline::millis).thenComparing(Deadline::key);
  }

  static final MapState EMPTY =
      new MapState(Tree.empty(ORDER), Tree.empty(ORDER), Tree.empty(Deadline.ORDER), 0);

  /** For states in which nothing ends. */
  static final Codec<MapState> CODEC =
      Codec.of(
          (state, out) -> {
            out.writeCount(state.tree.size());
            state.tree.forEach((key, value) -> out.writeBytes(key).writeBytes(value));
          },
          in -> readPermanent(in, EMPTY));

  /** For the others: what stays, as above, and behind it what ends, with its time. */
  static final Codec<MapState> EXPIRING_CODEC =
      Codec.of(
          (state, out) -> {
            out.writeCount(state.tree.size() - state.deadlines.size());
            state.tree.forEach(
                (key, value) -> {
                  if (state.deadlines.get(key) == null) {
                    out.writeBytes(key).writeBytes(value);
                  }
                });
            out.writeCount(state.deadlines.size());
            state.deadlines.forEach(
                (key, millis) ->
                    out.writeBytes(key).writeBytes(state.valueOf(key)).writeLong(millis));
          },
          in -> readExpiring(in, readPermanent(in, EMPTY)));

  private final Tree<Bytes, Bytes> tree;

  /** When entries end that do, by key and in the order of time. */
  private final Tree<Bytes, Long> deadlines;

  private final Tree<Deadline, Bytes> byTime;

  private final int bytes;

  private MapState(
      Tree<Bytes, Bytes> tree,
      Tree<Bytes, Long> deadlines,
      Tree<Deadline, Bytes> byTime,
      int bytes) {
    this.tree = tree;
    this.deadlines = deadlines;
    this.byTime = byTime;
    this.bytes = bytes;
  }

  private static MapState readPermanent(ValueReader in, MapState empty) {
    MapState state = empty;
    Bytes last = null;
    for (int left = in.readCount(); left > 0; left--) {
      last = nextKey(in, last);
      state = state.with(last, in.readBytes());
    }
    return state;
  }

  private static MapState readExpiring(ValueReader in, MapState permanent) {
    MapState state = permanent;
    Bytes last = null;
    int count = in.readCount();
    if (count == 0) {
      throw new MalformedValueException("nothing ends in a map that was written as if it did");
    }
    for (int left = count; left > 0; left--) {
      last = nextKey(in, last);
      Bytes value = in.readBytes();
      long millis = in.readLong();
      if (millis <= 0 || permanent.tree.get(last) != null) {
        throw new MalformedValueException("an entry of a map ends at " + millis + ", or is there");
      }
      state = state.with(last, value, millis);
    }
    return state;
  }

  private static Bytes nextKey(ValueReader in, @Nullable Bytes last) {
    Bytes key = in.readBytes();
    if (last != null && ORDER.compare(last, key) >= 0) {
      throw new MalformedValueException("the keys of a map are not in their order");
    }
    return key;
  }

  /** How many entries there are now. */
  public int size() {
    return size(System.currentTimeMillis());
  }

  int size(long nowMillis) {
    return tree.size() - byTime.sizeBefore(new Deadline(nowMillis + 1, Bytes.EMPTY));
  }

  /** How many bytes it has when written, with entries that have ended and are not removed yet. */
  public int bytes() {
    return Sizes.HEADER_BYTES + bytes;
  }

  public Optional<Bytes> get(Bytes key) {
    return get(key, System.currentTimeMillis());
  }

  Optional<Bytes> get(Bytes key, long nowMillis) {
    Bytes value = tree.get(key);
    return value == null || hasEnded(key, nowMillis) ? Optional.empty() : Optional.of(value);
  }

  /** When an entry ends; empty if it does not, or there is none. */
  public Optional<Instant> expiry(Bytes key) {
    return Optional.ofNullable(deadlines.get(key)).map(Instant::ofEpochMilli);
  }

  /** By the bytes of the keys, as unsigned numbers. */
  public void forEach(BiConsumer<? super Bytes, ? super Bytes> each) {
    forEachFrom(
        Bytes.EMPTY,
        System.currentTimeMillis(),
        (key, value) -> {
          each.accept(key, value);
          return true;
        });
  }

  /** From a key on, as long as the visitor wants more. */
  void forEachFrom(Bytes from, long nowMillis, Tree.Visitor<Bytes, Bytes> visitor) {
    tree.forEachFrom(from, (key, value) -> hasEnded(key, nowMillis) || visitor.visit(key, value));
  }

  /** A copy. */
  public Map<Bytes, Bytes> toMap() {
    ImmutableMap.Builder<Bytes, Bytes> map = ImmutableMap.builder();
    forEach(map::put);
    return map.buildOrThrow();
  }

  /** Whether an entry may end. */
  boolean hasDeadlines() {
    return deadlines.size() > 0;
  }

  /** Whether there is an entry with this key, shown or not. */
  boolean holds(Bytes key) {
    return tree.get(key) != null;
  }

  /** When an entry ends; 0 if it does not. */
  long deadlineMillis(Bytes key) {
    Long millis = deadlines.get(key);
    return millis == null ? 0 : millis;
  }

  private boolean hasEnded(Bytes key, long nowMillis) {
    Long millis = deadlines.get(key);
    return millis != null && millis <= nowMillis;
  }

  /** The keys of entries that have ended and are still there, the oldest first. */
  void forEachEnded(long nowMillis, Tree.Visitor<Bytes, Integer> visitor) {
    byTime.forEachFrom(
        new Deadline(0, Bytes.EMPTY),
        (deadline, key) -> deadline.millis() <= nowMillis && visitor.visit(key, sizeOf(key)));
  }

  /** An entry that stays. */
  public MapState with(Bytes key, Bytes value) {
    return with(key, value, 0);
  }

  /** An entry that ends at a time. */
  public MapState with(Bytes key, Bytes value, Instant expiry) {
    return with(key, value, Math.max(1, expiry.toEpochMilli()));
  }

  /** An entry that ends at a time, or stays if that is 0. */
  MapState with(Bytes key, Bytes value, long deadlineMillis) {
    MapState plain = withoutDeadline(key);
    int more = Sizes.of(key) + Sizes.of(value);
    if (deadlineMillis == 0) {
      return new MapState(
          plain.tree.with(key, value),
          plain.deadlines,
          plain.byTime,
          plain.bytes - plain.sizeOf(key) + more);
    }
    return new MapState(
        plain.tree.with(key, value),
        plain.deadlines.with(key, deadlineMillis),
        plain.byTime.with(new Deadline(deadlineMillis, key), key),
        plain.bytes - plain.sizeOf(key) + more + Sizes.of(deadlineMillis));
  }

  /** The same value with another end, or none if that is 0; nothing changes if there is none. */
  MapState withDeadline(Bytes key, long deadlineMillis) {
    Bytes value = tree.get(key);
    return value == null ? this : with(key, value, deadlineMillis);
  }

  MapState without(Bytes key) {
    MapState plain = withoutDeadline(key);
    return new MapState(
        plain.tree.without(key), plain.deadlines, plain.byTime, plain.bytes - plain.sizeOf(key));
  }

  private MapState withoutDeadline(Bytes key) {
    Long millis = deadlines.get(key);
    return millis == null
        ? this
        : new MapState(
            tree,
            deadlines.without(key),
            byTime.without(new Deadline(millis, key)),
            bytes - Sizes.of(millis));
  }

  private Bytes valueOf(Bytes key) {
    Bytes value = tree.get(key);
    if (value == null) {
      throw new IllegalStateException("an entry ends that is not there");
    }
    return value;
  }

  private int sizeOf(Bytes key) {
    Bytes value = tree.get(key);
    Long millis = deadlines.get(key);
    return value == null
        ? 0
        : Sizes.of(key) + Sizes.of(value) + (millis == null ? 0 : Sizes.of(millis));
  }

  @Override
  public String toString() {
    return "MapState[" + tree.size() + " entries, " + bytes() + " bytes]";
  }
}
