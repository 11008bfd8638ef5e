package io.testudo.ordering.objects;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ValueReader;
import io.testudo.quorum.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Elements in a row, numbered for ever: they are added at one end and dropped at the other.
 * Immutable.
 */
public final class SeriesState {
  static final SeriesState EMPTY =
      new SeriesState(0, Tree.<Long, Bytes>empty(Comparator.<Long>naturalOrder()), 0);

  static final Codec<SeriesState> CODEC =
      Codec.of(
          (state, out) -> {
            out.writeLong(state.first).writeCount(state.size());
            state.tree.forEach((index, element) -> out.writeBytes(element));
          },
          SeriesState::read);

  private final long first;
  private final Tree<Long, Bytes> tree;
  private final int bytes;

  private SeriesState(long first, Tree<Long, Bytes> tree, int bytes) {
    this.first = first;
    this.tree = tree;
    this.bytes = bytes;
  }

  private static SeriesState read(ValueReader in) {
    long first = in.readLong();
    int count = in.readCount();
    if (first < 0 || first > Long.MAX_VALUE - count) {
      throw new MalformedValueException("a series begins at " + first);
    }
    SeriesState state = new SeriesState(first, EMPTY.tree, 0);
    for (int left = count; left > 0; left--) {
      state = state.with(in.readBytes());
    }
    return state;
  }

  /**
   * Elements in a row.
   *
   * @param first the number of the first of them, or of the next if there are none
   */
  public static SeriesState of(long first, List<Bytes> elements) {
    if (first < 0 || first > Long.MAX_VALUE - elements.size()) {
      throw new IllegalArgumentException("A series cannot begin at %s.".formatted(first));
    }
    return new SeriesState(first, EMPTY.tree, 0).withAll(elements);
  }

  /** The number of the first element that is there, or that will be. */
  public long first() {
    return first;
  }

  /** The number that the next element gets. */
  public long next() {
    return first + tree.size();
  }

  public int size() {
    return tree.size();
  }

  /** How many bytes it has when written. */
  public int bytes() {
    return Sizes.HEADER_BYTES + bytes;
  }

  /** The element with a number, if it is there. */
  public Optional<Bytes> get(long index) {
    return Optional.ofNullable(tree.get(index));
  }

  /** Up to so many elements from this number on. */
  public List<Bytes> from(long index, int most) {
    ImmutableList.Builder<Bytes> found = ImmutableList.builder();
    int[] left = {most};
    if (most > 0) {
      tree.forEachFrom(
          index,
          (at, element) -> {
            found.add(element);
            return --left[0] > 0;
          });
    }
    return found.build();
  }

  SeriesState with(Bytes element) {
    return new SeriesState(first, tree.with(next(), element), bytes + Sizes.of(element));
  }

  SeriesState withAll(List<Bytes> elements) {
    SeriesState longer = this;
    for (Bytes element : elements) {
      longer = longer.with(element);
    }
    return longer;
  }

  /** Drops all elements before a number, which is at most the next. */
  SeriesState from(long newFirst) {
    if (newFirst < first || newFirst > next()) {
      throw new MalformedValueException(
          "a series from %s to %s cannot begin at %s".formatted(first, next(), newFirst));
    }
    SeriesState shorter = this;
    while (shorter.first < newFirst) {
      Bytes dropped = shorter.tree.get(shorter.first);
      int droppedBytes = dropped == null ? 0 : Sizes.of(dropped);
      shorter =
          new SeriesState(
              shorter.first + 1, shorter.tree.without(shorter.first), shorter.bytes - droppedBytes);
    }
    return shorter;
  }

  @Override
  public String toString() {
    return "SeriesState[" + first + " to " + next() + ", " + bytes() + " bytes]";
  }
}
