package io.testudo.quorum.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a record as a published .proto file gives them, each said once, in the order in
 * which the record's constructor takes them. Both writing and reading follow from it. What is
 * written has its fields by number, as every protobuf writer has them.
 *
 * @param <T> the record
 */
public final class Schema<T> {
  private static final int MAX_FIELD_NUMBER = 63;

  private final Leaf<T, ?>[] leaves;
  private final @Nullable Leaf<T, ?>[] byNumber;
  private final Function<Slots, T> maker;

  /**
   * Those fields, by number.
   *
   * @param maker may throw IllegalArgumentException: what was read is malformed
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private Schema(Function<Slots, T> maker, List<Field<T, ?>> fields) {
    this.maker = maker;
    this.leaves =
        fields.stream()
            .flatMap(field -> field.leaves().stream())
            .sorted(Comparator.comparingInt(leaf -> leaf.number))
            .toArray(Leaf[]::new);
    this.byNumber = new Leaf[leaves.length == 0 ? 0 : leaves[leaves.length - 1].number + 1];
    checkArgument(byNumber.length <= MAX_FIELD_NUMBER + 1, "a field has too high a number");
    for (Leaf<T, ?> leaf : leaves) {
      checkArgument(byNumber[leaf.number] == null, "two fields have the number %s", leaf.number);
      byNumber[leaf.number] = leaf;
    }
  }

  /** What is read of a message until its record is made: by the numbers of fields. */
  static final class Slots {
    final long[] numbers;
    final @Nullable Object[] values;

    Slots(int size) {
      numbers = new long[size];
      values = new Object[size];
    }

    /** The values of a repeated field; they can be changed. */
    @SuppressWarnings("unchecked")
    List<Object> list(int number) {
      if (values[number] == null) {
        values[number] = new ArrayList<>();
      }
      return (List<Object>) values[number];
    }

    /** Others with the same values; only lists and messages inside can be changed in place. */
    Slots copy() {
      Slots copy = new Slots(numbers.length);
      for (int i = 0; i < numbers.length; i++) {
        copy.numbers[i] = numbers[i];
        copy.values[i] = copied(values[i]);
      }
      return copy;
    }

    private static @Nullable Object copied(@Nullable Object value) {
      if (value instanceof Slots slots) {
        return slots.copy();
      }
      return value instanceof List<?> list
          ? new ArrayList<Object>(list.stream().map(Slots::copied).toList())
          : value;
    }

    void clear() {
      Arrays.fill(numbers, 0);
      Arrays.fill(values, null);
    }
  }

  /** The fields by number. */
  ImmutableList<Leaf<T, ?>> leaves() {
    return ImmutableList.copyOf(leaves);
  }

  /** From the last field to the first. */
  void write(T value, WireWriter out) {
    for (int i = leaves.length - 1; i >= 0; i--) {
      leaves[i].write(value, out);
    }
  }

  T read(WireReader in) throws WireException {
    Slots slots = in.takeSlots(byNumber.length);
    read(in, slots);
    T value = make(slots);
    in.giveBack(slots);
    return value;
  }

  /** What there is to make the record of. */
  Slots readSlots(WireReader in) throws WireException {
    Slots slots = slots();
    read(in, slots);
    return slots;
  }

  Slots slots() {
    return new Slots(byNumber.length);
  }

  /** Takes all fields up to the end; of those that come again, the last counts. */
  void read(WireReader in, Slots to) throws WireException {
    while (in.remaining() > 0) {
      int tag = in.readTag();
      int number = tag >>> 3;
      Leaf<T, ?> leaf = number < byNumber.length ? byNumber[number] : null;
      if (leaf == null || (tag != leaf.tag && !leaf.takes(tag & 7))) {
        in.skipValue(tag & 7);
      } else {
        leaf.read(in, tag & 7, to);
      }
    }
  }

  T make(Slots slots) {
    return maker.apply(slots);
  }

  /** How many bytes {@link #toBytes} gives. */
  public int size(T value) {
    return written(value).length();
  }

  /** The bytes of a record that is not sent by itself. */
  public Bytes toBytes(T value) {
    return Bytes.wrap(written(value).toBytes());
  }

  private WireWriter written(T value) {
    WireWriter out = new WireWriter();
    write(value, out);
    return out;
  }

  /**
   * Reads such a record.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public T read(Bytes bytes) {
    try {
      return read(bytes.<WireReader>view(WireReader::new));
    } catch (WireException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Makes a record of 1 value. */
  @FunctionalInterface
  public interface Of1<A, T> {
    T make(A a);
  }

  /** Makes a record of 2 values. */
  @FunctionalInterface
  public interface Of2<A, B, T> {
    T make(A a, B b);
  }

  /** Makes a record of 3 values. */
  @FunctionalInterface
  public interface Of3<A, B, C, T> {
    T make(A a, B b, C c);
  }

  /** Makes a record of 4 values. */
  @FunctionalInterface
  public interface Of4<A, B, C, D, T> {
    T make(A a, B b, C c, D d);
  }

  /** Makes a record of 5 values. */
  @FunctionalInterface
  public interface Of5<A, B, C, D, E, T> {
    T make(A a, B b, C c, D d, E e);
  }

  /** Makes a record of 6 values. */
  @FunctionalInterface
  public interface Of6<A, B, C, D, E, F, T> {
    T make(A a, B b, C c, D d, E e, F f);
  }

  /** Makes a record of 7 values. */
  @FunctionalInterface
  public interface Of7<A, B, C, D, E, F, G, T> {
    T make(A a, B b, C c, D d, E e, F f, G g);
  }

  /** Makes a record of 8 values. */
  @FunctionalInterface
  public interface Of8<A, B, C, D, E, F, G, H, T> {
    T make(A a, B b, C c, D d, E e, F f, G g, H h);
  }

  /** Makes a record of 11 values. */
  @FunctionalInterface
  public interface Of11<A, B, C, D, E, F, G, H, I, J, K, T> {
    T make(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
  }

  /** Without a field: that it came is all it says. */
  public static <T> Schema<T> empty(Supplier<T> make) {
    return new Schema<>(s -> make.get(), List.of());
  }

  /** Of 1 field. */
  public static <T, A> Schema<T> of(Field<T, A> a, Of1<A, T> make) {
    return new Schema<>(s -> make.make(a.in(s)), List.of(a));
  }

  /** Of 2 fields. */
  public static <T, A, B> Schema<T> of(Field<T, A> a, Field<T, B> b, Of2<A, B, T> make) {
    return new Schema<>(s -> make.make(a.in(s), b.in(s)), List.of(a, b));
  }

  /** Of 3 fields. */
  public static <T, A, B, C> Schema<T> of(
      Field<T, A> a, Field<T, B> b, Field<T, C> c, Of3<A, B, C, T> make) {
    return new Schema<>(s -> make.make(a.in(s), b.in(s), c.in(s)), List.of(a, b, c));
  }

  /** Of 4 fields. */
  public static <T, A, B, C, D> Schema<T> of(
      Field<T, A> a, Field<T, B> b, Field<T, C> c, Field<T, D> d, Of4<A, B, C, D, T> make) {
    return new Schema<>(s -> make.make(a.in(s), b.in(s), c.in(s), d.in(s)), List.of(a, b, c, d));
  }

  /** Of 5 fields. */
  public static <T, A, B, C, D, E> Schema<T> of(
      Field<T, A> a,
      Field<T, B> b,
      Field<T, C> c,
      Field<T, D> d,
      Field<T, E> e,
      Of5<A, B, C, D, E, T> make) {
    return new Schema<>(
        s -> make.make(a.in(s), b.in(s), c.in(s), d.in(s), e.in(s)), List.of(a, b, c, d, e));
  }

  /** Of 6 fields. */
  public static <T, A, B, C, D, E, F> Schema<T> of(
      Field<T, A> a,
      Field<T, B> b,
      Field<T, C> c,
      Field<T, D> d,
      Field<T, E> e,
      Field<T, F> f,
      Of6<A, B, C, D, E, F, T> make) {
    return new Schema<>(
        s -> make.make(a.in(s), b.in(s), c.in(s), d.in(s), e.in(s), f.in(s)),
        List.of(a, b, c, d, e, f));
  }

  /** Of 7 fields. */
  public static <T, A, B, C, D, E, F, G> Schema<T> of(
      Field<T, A> a,
      Field<T, B> b,
      Field<T, C> c,
      Field<T, D> d,
      Field<T, E> e,
      Field<T, F> f,
      Field<T, G> g,
      Of7<A, B, C, D, E, F, G, T> make) {
    return new Schema<>(
        s -> make.make(a.in(s), b.in(s), c.in(s), d.in(s), e.in(s), f.in(s), g.in(s)),
        List.of(a, b, c, d, e, f, g));
  }

  /** Of 8 fields. */
  public static <T, A, B, C, D, E, F, G, H> Schema<T> of(
      Field<T, A> a,
      Field<T, B> b,
      Field<T, C> c,
      Field<T, D> d,
      Field<T, E> e,
      Field<T, F> f,
      Field<T, G> g,
      Field<T, H> h,
      Of8<A, B, C, D, E, F, G, H, T> make) {
    return new Schema<>(
        s -> make.make(a.in(s), b.in(s), c.in(s), d.in(s), e.in(s), f.in(s), g.in(s), h.in(s)),
        List.of(a, b, c, d, e, f, g, h));
  }

  /** Of 11 fields. */
  public static <T, A, B, C, D, E, F, G, H, I, J, K> Schema<T> of(
      Field<T, A> a,
      Field<T, B> b,
      Field<T, C> c,
      Field<T, D> d,
      Field<T, E> e,
      Field<T, F> f,
      Field<T, G> g,
      Field<T, H> h,
      Field<T, I> i,
      Field<T, J> j,
      Field<T, K> k,
      Of11<A, B, C, D, E, F, G, H, I, J, K, T> make) {
    return new Schema<>(
        s ->
            make.make(
                a.in(s), b.in(s), c.in(s), d.in(s), e.in(s), f.in(s), g.in(s), h.in(s), i.in(s),
                j.in(s), k.in(s)),
        List.of(a, b, c, d, e, f, g, h, i, j, k));
  }
}
