package io.testudo.ordering.objects;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.OperationFailedException;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A map that is spread over many {@linkplain MapObject maps}, its shards: for more than one object
 * can hold. A key belongs to one shard for ever, by a hash; how many shards there are, an object
 * with the name of the map says, which the first operation makes.
 *
 * <p>What concerns one key, or keys with the same tag, is linearizable as in a {@link MapObject}: a
 * tag is what stands in the first braces of a key, as in {@code "{alice}/name"}. What concerns
 * several shards ({@link #putAll}, {@link #size}, {@link #forEach}, {@link #clear}) is done to one
 * after the other, and each says what that means.
 */
public final class LargeMap {
  /** An operation of {@link #putAll} is sent with about so many bytes. */
  private static final int CHUNK_BYTES = 256 << 10;

  private static final String SHARD = "/shard-";
  private static final CharMatcher SHARD_NUMBER = CharMatcher.inRange('0', '9');

  private final ObjectSpace space;
  private final String name;
  private final ReplicatedObject<Optional<LargeMapLayout>> object;
  private final UnaryOperator<MapObject> settings;

  /** Shared with those of other settings. */
  private final LargeMapDirectory directory;

  private LargeMap(
      ObjectSpace space,
      ReplicatedObject<Optional<LargeMapLayout>> object,
      UnaryOperator<MapObject> settings,
      LargeMapDirectory directory) {
    this.space = space;
    this.name = object.name();
    this.object = object;
    this.settings = settings;
    this.directory = directory;
  }

  /**
   * A map with as many shards as it has, or {@value LargeMapLayout#DEFAULT_SHARDS} if it is new.
   */
  public static LargeMap open(ObjectSpace space, String name) {
    return opened(space, name, LargeMapLayout.ANY);
  }

  /**
   * A map with so many shards. All that is asked of it fails if it was made with another number.
   *
   * @throws IllegalArgumentException if there cannot be so many, or the name is too long for them
   */
  public static LargeMap open(ObjectSpace space, String name, int shards) {
    if (shards < 1 || shards > LargeMapLayout.MAX_SHARDS) {
      throw new IllegalArgumentException(
          "A large map has 1 to %s shards, not %s; choose another number."
              .formatted(LargeMapLayout.MAX_SHARDS, shards));
    }
    return opened(space, name, shards);
  }

  private static LargeMap opened(ObjectSpace space, String name, int shards) {
    int last = (shards == LargeMapLayout.ANY ? LargeMapLayout.DEFAULT_SHARDS : shards) - 1;
    String unused = ObjectLimits.checkName(shardName(name, last));
    return new LargeMap(
        space,
        space.open(name, LargeMapLayout.TYPE),
        UnaryOperator.identity(),
        new LargeMapDirectory(shards));
  }

  /** What servers know a shard by. Whoever has rights to the map's name has them to these. */
  static String shardName(String name, int shard) {
    return name + SHARD + shard;
  }

  /** The map of which an object is a shard, if its name is that of one. */
  public static Optional<String> ofShard(String object) {
    int end = object.lastIndexOf(SHARD);
    return end > 0 && SHARD_NUMBER.matchesAllOf(object.substring(end + SHARD.length()))
        ? Optional.of(object.substring(0, end))
        : Optional.empty();
  }

  /** Goes on when the layout is known; empty if nothing was ever put. */
  private <T> CompletableFuture<T> look(
      Function<Optional<LargeMapLayout>, CompletableFuture<T>> then) {
    return directory.ask(object, /* creates= */ false, then);
  }

  /** Goes on when the layout is known, which is chosen now if there is none. */
  private <T> CompletableFuture<T> change(Function<LargeMapLayout, CompletableFuture<T>> then) {
    return directory.ask(object, /* creates= */ true, layout -> then.apply(layout.orElseThrow()));
  }

  private MapObject shard(int shard) {
    return settings.apply(MapObject.open(space, shardName(name, shard)));
  }

  private <T> CompletableFuture<T> change(
      Bytes key, Function<MapObject, CompletableFuture<T>> change) {
    return change(layout -> change.apply(shard(layout.shardOf(key))));
  }

  private <T> CompletableFuture<T> look(
      Bytes key, T nothing, Function<MapObject, CompletableFuture<T>> look) {
    return look(
        layout ->
            layout.isPresent()
                ? look.apply(shard(layout.get().shardOf(key)))
                : CompletableFuture.completedFuture(nothing));
  }

  public CompletableFuture<Nothing> put(Bytes key, Bytes value) {
    return change(key, map -> map.put(key, value));
  }

  /** As {@link #put(Bytes, Bytes)}, with texts in UTF-8. */
  public CompletableFuture<Nothing> put(String key, String value) {
    return put(Bytes.utf8(key), Bytes.utf8(value));
  }

  /** See {@link MapObject#put(Bytes, Bytes, Duration)}. */
  public CompletableFuture<Nothing> put(Bytes key, Bytes value, Duration ttl) {
    return change(key, map -> map.put(key, value, ttl));
  }

  /** As {@link #put(Bytes, Bytes, Duration)}, with texts in UTF-8. */
  public CompletableFuture<Nothing> put(String key, String value, Duration ttl) {
    return put(Bytes.utf8(key), Bytes.utf8(value), ttl);
  }

  /** See {@link MapObject#renew(Bytes, Duration)}. */
  public CompletableFuture<Boolean> renew(Bytes key, Duration ttl) {
    return change(key, map -> map.renew(key, ttl));
  }

  /** See {@link MapObject#getAndPut}. */
  public CompletableFuture<Optional<Bytes>> getAndPut(Bytes key, Bytes value) {
    return change(key, map -> map.getAndPut(key, value));
  }

  /** Whether there was no value and this one was put. */
  public CompletableFuture<Boolean> putIfAbsent(Bytes key, Bytes value) {
    return change(key, map -> map.putIfAbsent(key, value));
  }

  /** See {@link MapObject#compareAndSet}. */
  public CompletableFuture<Boolean> compareAndSet(
      Bytes key, Optional<Bytes> expected, Optional<Bytes> value) {
    return change(key, map -> map.compareAndSet(key, expected, value));
  }

  /** Whether there was such a key. */
  public CompletableFuture<Boolean> remove(Bytes key) {
    return change(key, map -> map.remove(key));
  }

  /** As {@link #remove(Bytes)}, with text in UTF-8. */
  public CompletableFuture<Boolean> remove(String key) {
    return remove(Bytes.utf8(key));
  }

  public CompletableFuture<Optional<Bytes>> get(Bytes key) {
    return look(key, Optional.empty(), map -> map.get(key));
  }

  /** As {@link #get(Bytes)}, with text in UTF-8. */
  public CompletableFuture<Optional<Bytes>> get(String key) {
    return get(Bytes.utf8(key));
  }

  /** See {@link ReplicatedObject#readStale}. */
  public CompletableFuture<Optional<Bytes>> getStale(Bytes key) {
    return look(key, Optional.empty(), map -> map.getStale(key));
  }

  /** When a value ends; empty if it stays, or there is none. */
  public CompletableFuture<Optional<Instant>> expiry(Bytes key) {
    return look(key, Optional.empty(), map -> map.expiry(key));
  }

  /**
   * A transaction on keys of one shard, which is those with the same tag. One on keys of several
   * shards fails and changes nothing.
   */
  public MapTransaction transaction() {
    return new MapTransaction(request -> change(layout -> submit(layout, request)));
  }

  private CompletableFuture<MapTransaction.Result> submit(
      LargeMapLayout layout, MapTransaction.Request request) {
    List<Integer> touched =
        request.keys().stream().map(layout::shardOf).distinct().limit(2).toList();
    if (touched.size() != 1) {
      return CompletableFuture.failedFuture(
          new OperationFailedException(
              name,
              "transact",
              touched.isEmpty()
                  ? "it names no key"
                  : "its keys are on several shards; give them a tag in common, as in"
                      + " '{alice}/name' and '{alice}/age'"));
    }
    return shard(touched.get(0)).submit(request);
  }

  /**
   * Puts many. Those of one shard go in few operations, each of which is done as a whole; the rest
   * is not. If it fails, some may have been put: putting all of them again is safe.
   */
  public CompletableFuture<Nothing> putAll(Map<Bytes, Bytes> entries) {
    Map<Bytes, Bytes> copy = ImmutableMap.copyOf(entries);
    return change(
            layout ->
                CompletableFuture.allOf(
                    chunks(layout, copy).stream().toArray(CompletableFuture<?>[]::new)))
        .thenApply(done -> Nothing.NOTHING);
  }

  private List<CompletableFuture<Nothing>> chunks(
      LargeMapLayout layout, Map<Bytes, Bytes> entries) {
    Map<Integer, Map<Bytes, Bytes>> byShard = new TreeMap<>();
    entries.forEach(
        (key, value) ->
            byShard.computeIfAbsent(layout.shardOf(key), any -> new TreeMap<>()).put(key, value));
    List<CompletableFuture<Nothing>> sent = new ArrayList<>();
    byShard.forEach(
        (shard, all) -> {
          Map<Bytes, Bytes> chunk = new TreeMap<>();
          int bytes = 0;
          for (Map.Entry<Bytes, Bytes> entry : all.entrySet()) {
            int more = Sizes.of(entry.getKey()) + Sizes.of(entry.getValue());
            if (!chunk.isEmpty() && bytes + more > CHUNK_BYTES) {
              sent.add(shard(shard).putAll(chunk));
              chunk = new TreeMap<>();
              bytes = 0;
            }
            chunk.put(entry.getKey(), entry.getValue());
            bytes += more;
          }
          sent.add(shard(shard).putAll(chunk));
        });
    return sent;
  }

  /** How many shards it has; empty if nothing was ever put. */
  public CompletableFuture<Optional<Integer>> shards() {
    return look(layout -> CompletableFuture.completedFuture(layout.map(LargeMapLayout::shards)));
  }

  /** The map that has a key, and all keys with the same tag: to listen to it, for instance. */
  public CompletableFuture<MapObject> shardOf(Bytes key) {
    return change(layout -> CompletableFuture.completedFuture(shard(layout.shardOf(key))));
  }

  /** The number of entries, each shard counted at a moment of its own, one after the other. */
  public CompletableFuture<Long> size() {
    return sum(map -> map.size().thenApply(Integer::longValue));
  }

  /** Removes all entries of one shard after the other, and gives how many. */
  public CompletableFuture<Long> clear() {
    return sum(map -> map.clear().thenApply(Integer::longValue));
  }

  /**
   * Deletes all shards, one after the other, so that servers give back their room, and gives how
   * many there were. How many there can be stays, and where keys belong: what is put later is put
   * there, by all clients.
   */
  public CompletableFuture<Long> delete() {
    return sum(map -> map.object().delete().thenApply(wasThere -> wasThere ? 1L : 0L));
  }

  /**
   * Shows all entries, shard after shard, one call after the other. A shard is shown as it was at
   * one moment during this call, another shard at another one: what is there all the time is shown
   * once, what is put or removed meanwhile once or not at all, nothing twice. This client keeps all
   * shards in memory then.
   *
   * @param each called where what is chained to futures runs; if it throws, the future fails
   * @return how many there were
   */
  public CompletableFuture<Long> forEach(BiConsumer<? super Bytes, ? super Bytes> each) {
    return sum(
        map ->
            map.object()
                .read(Function.identity())
                .thenApply(
                    state -> {
                      long[] shown = {0};
                      state.forEach(
                          (key, value) -> {
                            each.accept(key, value);
                            shown[0]++;
                          });
                      return shown[0];
                    }));
  }

  private CompletableFuture<Long> sum(Function<MapObject, CompletableFuture<Long>> each) {
    return look(
        layout ->
            layout.isPresent()
                ? sum(layout.get().shards(), 0, 0, each)
                : CompletableFuture.completedFuture(0L));
  }

  private CompletableFuture<Long> sum(
      int of, int from, long sum, Function<MapObject, CompletableFuture<Long>> each) {
    return from == of
        ? CompletableFuture.completedFuture(sum)
        : each.apply(shard(from)).thenCompose(more -> sum(of, from + 1, sum + more, each));
  }

  /**
   * Some entries, and where to go on.
   *
   * @param next what {@link #page} is to be given for the next ones; empty if these are the last
   */
  public record Page(Map<Bytes, Bytes> entries, Optional<Bytes> next) {}

  private record Cursor(int shard, Optional<Bytes> after) {
    static final Cursor FIRST = new Cursor(0, Optional.empty());
    private static final Codec<Optional<Bytes>> AFTER = Codec.optional(Codec.BYTES);
    static final Codec<Cursor> CODEC =
        Codec.of(
            (cursor, out) -> {
              out.writeLong(cursor.shard());
              AFTER.write(cursor.after(), out);
            },
            in -> new Cursor(Math.toIntExact(in.readLong()), AFTER.read(in)));
  }

  /**
   * Shows entries page by page. Each page is of one moment, and the same holds for all of them
   * together as for {@link #forEach}. A page may be empty and yet not the last.
   *
   * @param from empty for the first page, else {@link Page#next} of the page before, by whomever
   * @param most of entries, at least 1
   */
  public CompletableFuture<Page> page(Optional<Bytes> from, int most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "A page of %s entries is none; ask for 1.".formatted(most));
    }
    Cursor cursor = from.map(Cursor.CODEC::decode).orElse(Cursor.FIRST);
    return look(
        layout ->
            layout.isEmpty() || cursor.shard() < 0 || cursor.shard() >= layout.get().shards()
                ? CompletableFuture.completedFuture(new Page(ImmutableMap.of(), Optional.empty()))
                : shard(cursor.shard())
                    .object()
                    .read(map -> page(map, cursor, layout.get().shards(), most)));
  }

  private static Page page(MapState map, Cursor cursor, int shards, int most) {
    List<Map.Entry<Bytes, Bytes>> found = new ArrayList<>();
    map.forEachFrom(
        cursor.after().orElse(Bytes.EMPTY),
        System.currentTimeMillis(),
        (key, value) -> {
          if (cursor.after().isEmpty() || !cursor.after().get().equals(key)) {
            found.add(Map.entry(key, value));
          }
          return found.size() <= most;
        });
    boolean isCut = found.size() > most;
    ImmutableList<Map.Entry<Bytes, Bytes>> shown =
        ImmutableList.copyOf(isCut ? found.subList(0, most) : found);
    Optional<Cursor> next =
        isCut
            ? Optional.of(new Cursor(cursor.shard(), Optional.of(shown.get(most - 1).getKey())))
            : cursor.shard() + 1 < shards
                ? Optional.of(new Cursor(cursor.shard() + 1, Optional.empty()))
                : Optional.empty();
    return new Page(
        ImmutableMap.copyOf(shown),
        next.map(to -> Cursor.CODEC.encode(to, Integer.MAX_VALUE, "where a page begins")));
  }

  /** The same, with another time limit for calls to a shard. */
  public LargeMap withTimeout(Duration timeout) {
    return new LargeMap(
        space,
        object.withTimeout(timeout),
        map -> settings.apply(map).withTimeout(timeout),
        directory);
  }

  /** The same, with calls that ask these servers first; see {@link ReplicatedObject#withAccess}. */
  public LargeMap withAccess(Access first) {
    return new LargeMap(
        space, object.withAccess(first), map -> settings.apply(map).withAccess(first), directory);
  }
}
