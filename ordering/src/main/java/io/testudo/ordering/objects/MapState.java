package io.testudo.ordering.objects;

import com.google.common.collect.ImmutableMap;
import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ValueReader;
import io.testudo.quorum.Bytes;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Keys and values, sorted by the bytes of the keys. Immutable. */
public final class MapState {
  private static final Comparator<Bytes> ORDER = Comparator.naturalOrder();

  static final MapState EMPTY = new MapState(Tree.empty(ORDER), 0);

  static final Codec<MapState> CODEC =
      Codec.of(
          (state, out) -> {
            out.writeCount(state.size());
            state.forEach((key, value) -> out.writeBytes(key).writeBytes(value));
          },
          MapState::read);

  private final Tree<Bytes, Bytes> tree;
  private final int bytes;

  private MapState(Tree<Bytes, Bytes> tree, int bytes) {
    this.tree = tree;
    this.bytes = bytes;
  }

  private static MapState read(ValueReader in) {
    MapState state = EMPTY;
    Bytes last = null;
    for (int left = in.readCount(); left > 0; left--) {
      Bytes key = in.readBytes();
      if (last != null && ORDER.compare(last, key) >= 0) {
        throw new MalformedValueException("the keys of a map are not in their order");
      }
      state = state.with(key, in.readBytes());
      last = key;
    }
    return state;
  }

  public int size() {
    return tree.size();
  }

  /** How many bytes it has when written. */
  public int bytes() {
    return Sizes.HEADER_BYTES + bytes;
  }

  public Optional<Bytes> get(Bytes key) {
    return Optional.ofNullable(tree.get(key));
  }

  /** By the bytes of the keys, as unsigned numbers. */
  public void forEach(BiConsumer<? super Bytes, ? super Bytes> each) {
    tree.forEach(each);
  }

  /** A copy. */
  public Map<Bytes, Bytes> toMap() {
    ImmutableMap.Builder<Bytes, Bytes> map = ImmutableMap.builder();
    forEach(map::put);
    return map.buildOrThrow();
  }

  MapState with(Bytes key, Bytes value) {
    return new MapState(
        tree.with(key, value), bytes - sizeOf(key) + Sizes.of(key) + Sizes.of(value));
  }

  MapState without(Bytes key) {
    return new MapState(tree.without(key), bytes - sizeOf(key));
  }

  private int sizeOf(Bytes key) {
    Bytes value = tree.get(key);
    return value == null ? 0 : Sizes.of(key) + Sizes.of(value);
  }

  @Override
  public String toString() {
    return "MapState[" + size() + " entries, " + bytes() + " bytes]";
  }
}
