package io.testudo.quorum.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.wire.Field.Leaf;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
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

  private final Leaf<T>[] byNumber;
  private final int slots;
  private final RecordMaker<T> maker;
  private final @Nullable Slot[] slotOf;

  /** Makes the record of what was read. May throw IllegalArgumentException: it is malformed. */
  interface RecordMaker<T> {
    T make(@Nullable Object[] slots, int first);
  }

  /** Where what is read of a field goes until the record is made. */
  private record Slot(int index, Leaf<?> leaf) {}

  @SuppressWarnings({"unchecked", "rawtypes"})
  private Schema(List<Field<T, ?>> fields, RecordMaker<T> maker) {
    List<Leaf<T>> leaves = fields.stream().flatMap(field -> field.leaves().stream()).toList();
    this.maker = maker;
    this.slots = leaves.size();
    this.byNumber =
        leaves.stream()
            .sorted(Comparator.comparingInt(leaf -> leaf.form().number()))
            .toArray(Leaf[]::new);
    this.slotOf = new Slot[MAX_FIELD_NUMBER + 1];
    for (int i = 0; i < slots; i++) {
      int number = leaves.get(i).form().number();
      checkArgument(slotOf[number] == null, "two fields have the number %s", number);
      slotOf[number] = new Slot(i, leaves.get(i));
    }
  }

  /** The fields by number. */
  ImmutableList<FieldForm> forms() {
    return Arrays.stream(byNumber).map(Leaf::form).collect(ImmutableList.toImmutableList());
  }

  /** Those fields, of another record that holds this one. */
  ImmutableList<Leaf<T>> leaves() {
    return Arrays.stream(slotOf)
        .filter(slot -> slot != null)
        .sorted(Comparator.comparingInt(slot -> slot.index()))
        .map(slot -> leaf(slot))
        .collect(ImmutableList.toImmutableList());
  }

  @SuppressWarnings("unchecked")
  private Leaf<T> leaf(Slot slot) {
    return (Leaf<T>) slot.leaf();
  }

  void write(T value, WireWriter out) {
    for (Leaf<T> leaf : byNumber) {
      leaf.writer().accept(value, out);
    }
  }

  T read(WireReader in) throws WireException {
    return make(readInto(null, in), 0);
  }

  /** Takes all fields up to the end; of those that come again, the last counts. */
  @Nullable Object[] readInto(@Nullable Object @Nullable [] before, WireReader in)
      throws WireException {
    @Nullable Object[] values = before == null ? new Object[slots] : before;
    while (in.remaining() > 0) {
      int tag = in.readTag();
      int number = tag >>> 3;
      Slot slot = number <= MAX_FIELD_NUMBER ? slotOf[number] : null;
      if (slot == null || !slot.leaf.form().takes(tag & 7)) {
        in.skipValue(tag & 7);
      } else {
        values[slot.index] = slot.leaf.reader().read(in, tag & 7, values[slot.index]);
      }
    }
    return values;
  }

  T make(@Nullable Object @Nullable [] values, int first) {
    return maker.make(values == null ? new Object[slots] : values, first);
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

  /** Of 1 field. */
  public static <T, A> Schema<T> of(Field<T, A> a, Of1<A, T> make) {
    return new Schema<>(List.of(a), (v, x) -> make.make(a.in(v, x)));
  }

  /** Of 2 fields. */
  public static <T, A, B> Schema<T> of(Field<T, A> a, Field<T, B> b, Of2<A, B, T> make) {
    int[] at = starts(a, b);
    return new Schema<>(List.of(a, b), (v, x) -> make.make(a.in(v, x), b.in(v, x + at[1])));
  }

  /** Of 3 fields. */
  public static <T, A, B, C> Schema<T> of(
      Field<T, A> a, Field<T, B> b, Field<T, C> c, Of3<A, B, C, T> make) {
    int[] at = starts(a, b, c);
    return new Schema<>(
        List.of(a, b, c), (v, x) -> make.make(a.in(v, x), b.in(v, x + at[1]), c.in(v, x + at[2])));
  }

  /** Of 4 fields. */
  public static <T, A, B, C, D> Schema<T> of(
      Field<T, A> a, Field<T, B> b, Field<T, C> c, Field<T, D> d, Of4<A, B, C, D, T> make) {
    int[] at = starts(a, b, c, d);
    return new Schema<>(
        List.of(a, b, c, d),
        (v, x) ->
            make.make(a.in(v, x), b.in(v, x + at[1]), c.in(v, x + at[2]), d.in(v, x + at[3])));
  }

  /** Of 5 fields. */
  public static <T, A, B, C, D, E> Schema<T> of(
      Field<T, A> a,
      Field<T, B> b,
      Field<T, C> c,
      Field<T, D> d,
      Field<T, E> e,
      Of5<A, B, C, D, E, T> make) {
    int[] at = starts(a, b, c, d, e);
    return new Schema<>(
        List.of(a, b, c, d, e),
        (v, x) ->
            make.make(
                a.in(v, x),
                b.in(v, x + at[1]),
                c.in(v, x + at[2]),
                d.in(v, x + at[3]),
                e.in(v, x + at[4])));
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
    int[] at = starts(a, b, c, d, e, f);
    return new Schema<>(
        List.of(a, b, c, d, e, f),
        (v, x) ->
            make.make(
                a.in(v, x),
                b.in(v, x + at[1]),
                c.in(v, x + at[2]),
                d.in(v, x + at[3]),
                e.in(v, x + at[4]),
                f.in(v, x + at[5])));
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
    int[] at = starts(a, b, c, d, e, f, g);
    return new Schema<>(
        List.of(a, b, c, d, e, f, g),
        (v, x) ->
            make.make(
                a.in(v, x),
                b.in(v, x + at[1]),
                c.in(v, x + at[2]),
                d.in(v, x + at[3]),
                e.in(v, x + at[4]),
                f.in(v, x + at[5]),
                g.in(v, x + at[6])));
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
    int[] at = starts(a, b, c, d, e, f, g, h);
    return new Schema<>(
        List.of(a, b, c, d, e, f, g, h),
        (v, x) ->
            make.make(
                a.in(v, x),
                b.in(v, x + at[1]),
                c.in(v, x + at[2]),
                d.in(v, x + at[3]),
                e.in(v, x + at[4]),
                f.in(v, x + at[5]),
                g.in(v, x + at[6]),
                h.in(v, x + at[7])));
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
    int[] at = starts(a, b, c, d, e, f, g, h, i, j, k);
    return new Schema<>(
        List.of(a, b, c, d, e, f, g, h, i, j, k),
        (v, x) ->
            make.make(
                a.in(v, x),
                b.in(v, x + at[1]),
                c.in(v, x + at[2]),
                d.in(v, x + at[3]),
                e.in(v, x + at[4]),
                f.in(v, x + at[5]),
                g.in(v, x + at[6]),
                h.in(v, x + at[7]),
                i.in(v, x + at[8]),
                j.in(v, x + at[9]),
                k.in(v, x + at[10])));
  }

  /** Where the values of each field begin. */
  private static int[] starts(Field<?, ?>... fields) {
    int[] starts = new int[fields.length];
    for (int i = 1; i < fields.length; i++) {
      starts[i] = starts[i - 1] + fields[i - 1].leaves().size();
    }
    return starts;
  }
}
