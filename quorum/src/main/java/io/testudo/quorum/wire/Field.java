package io.testudo.quorum.wire;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.testudo.crypto.Digest;
import io.testudo.crypto.MalformedSealException;
import io.testudo.crypto.Seal;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A field of a message or record: its permanent number, its kind in the .proto file, and how to get
 * its value. Functions that make a value of what was read may throw IllegalArgumentException: the
 * bytes are then malformed.
 *
 * @param <T> the record
 * @param <V> the values that its constructor takes
 */
public final class Field<T, V> {
  private static final byte[] NO_BYTES = {};

  private final ImmutableList<Leaf<T>> leaves;
  private final Schema.RecordMaker<V> value;

  private Field(ImmutableList<Leaf<T>> leaves, Schema.RecordMaker<V> value) {
    this.leaves = leaves;
    this.value = value;
  }

  /** One field on the wire. */
  record Leaf<T>(FieldForm form, BiConsumer<T, WireWriter> writer, LeafReader reader) {}

  /** Reads a value of a field, given what was read of this field before. */
  interface LeafReader {
    Object read(WireReader in, int wireType, @Nullable Object before) throws WireException;
  }

  /** What becomes of a value that was read, null for none. */
  private interface Finish<R, V> {
    V of(@Nullable R read);
  }

  ImmutableList<Leaf<T>> leaves() {
    return leaves;
  }

  /** The value among those that were read. */
  V in(@Nullable Object[] slots, int first) {
    return value.make(slots, first);
  }

  public static <T> Field<T, Integer> uint32(int number, ToIntFunction<T> get) {
    return uint32(number, get, value -> value);
  }

  /** A number that stands for something else. */
  public static <T, V> Field<T, V> uint32(int number, ToIntFunction<T> get, IntFunction<V> make) {
    FieldForm form = FieldForm.of(number, WireKind.UINT32);
    int tag = form.tag();
    return Field.<T, Integer, V>scalar(
        form,
        (it, out) -> out.number(tag, Integer.toUnsignedLong(get.applyAsInt(it))),
        read -> make.apply(read == null ? 0 : read));
  }

  public static <T> Field<T, Long> uint64(int number, ToLongFunction<T> get) {
    FieldForm form = FieldForm.of(number, WireKind.UINT64);
    int tag = form.tag();
    return number(form, (it, out) -> out.number(tag, get.applyAsLong(it)));
  }

  public static <T> Field<T, Long> sint64(int number, ToLongFunction<T> get) {
    FieldForm form = FieldForm.of(number, WireKind.SINT64);
    int tag = form.tag();
    return number(form, (it, out) -> out.number(tag, WireKind.fold(get.applyAsLong(it))));
  }

  public static <T> Field<T, Long> fixed64(int number, ToLongFunction<T> get) {
    FieldForm form = FieldForm.of(number, WireKind.FIXED64);
    int tag = form.tag();
    return number(form, (it, out) -> out.fixed64(tag, get.applyAsLong(it)));
  }

  private static <T> Field<T, Long> number(FieldForm form, BiConsumer<T, WireWriter> writer) {
    return Field.<T, Long, Long>scalar(form, writer, read -> read == null ? 0L : read);
  }

  public static <T> Field<T, Boolean> bool(int number, Predicate<T> get) {
    FieldForm form = FieldForm.of(number, WireKind.BOOL);
    int tag = form.tag();
    return Field.<T, Boolean, Boolean>scalar(
        form,
        (it, out) -> out.number(tag, get.test(it) ? 1 : 0),
        read -> read == null ? false : read);
  }

  public static <T> Field<T, String> string(int number, Function<T, String> get) {
    return string(number, get, text -> text);
  }

  /** A text that is checked or stands for something else. */
  public static <T, V> Field<T, V> string(
      int number, Function<T, String> get, Function<String, V> make) {
    FieldForm form = FieldForm.of(number, WireKind.STRING);
    int tag = form.tag();
    return Field.<T, String, V>scalar(
        form,
        (it, out) -> out.string(tag, get.apply(it)),
        read -> make.apply(read == null ? "" : read));
  }

  public static <T> Field<T, ByteString> bytes(int number, Function<T, ByteString> get) {
    return bytesOf(
        number, (tag, it, out) -> out.bytes(tag, get.apply(it)), UnsafeByteOperations::unsafeWrap);
  }

  /** Bytes that are those of a digest. */
  public static <T> Field<T, Digest> digest(int number, Function<T, Digest> get) {
    return bytesOf(number, (tag, it, out) -> out.digest(tag, get.apply(it)), Digest::fromBytes);
  }

  /** Bytes that are those of a seal; empty for none. */
  public static <T> Field<T, Optional<Seal>> seal(int number, Function<T, Optional<Seal>> get) {
    return bytesOf(
        number,
        (tag, it, out) -> {
          Optional<Seal> seal = get.apply(it);
          if (seal.isPresent()) {
            out.seal(tag, seal.get());
          }
        },
        Field::sealOf);
  }

  private static Optional<Seal> sealOf(byte[] bytes) {
    if (bytes.length == 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(Seal.decode(bytes));
    } catch (MalformedSealException e) {
      throw new IllegalArgumentException("the seal is malformed", e);
    }
  }

  private interface BytesWriter<T> {
    void write(int tag, T it, WireWriter out);
  }

  private static <T, V> Field<T, V> bytesOf(
      int number, BytesWriter<T> writer, Function<byte[], V> make) {
    FieldForm form = FieldForm.of(number, WireKind.BYTES);
    int tag = form.tag();
    return Field.<T, byte[], V>scalar(
        form,
        (it, out) -> writer.write(tag, it, out),
        read -> make.apply(read == null ? NO_BYTES : read));
  }

  /** Of values that come again, the last one counts. */
  private static <T, R, V> Field<T, V> scalar(
      FieldForm form, BiConsumer<T, WireWriter> writer, Finish<R, V> finish) {
    WireKind kind = form.kind();
    return single(form, writer, (in, wireType, before) -> kind.read(in), finish);
  }

  @SuppressWarnings("unchecked")
  private static <T, R, V> Field<T, V> single(
      FieldForm form, BiConsumer<T, WireWriter> writer, LeafReader reader, Finish<R, V> finish) {
    return new Field<>(
        ImmutableList.of(new Leaf<>(form, writer, reader)),
        (slots, first) -> finish.of((R) slots[first]));
  }

  /** A message that is always there; one that is missing has no fields. */
  public static <T, P> Field<T, P> message(int number, Function<T, P> get, Schema<P> schema) {
    FieldForm form = new FieldForm(number, WireKind.MESSAGE, false, schema.forms());
    int tag = form.tag();
    BiConsumer<P, WireWriter> fields = schema::write;
    return Field.<T, Object[], P>single(
        form,
        (it, out) -> out.message(tag, get.apply(it), fields),
        (in, wireType, before) -> merged(schema, in, before),
        read -> schema.make(read, 0));
  }

  /** A message that may be missing. */
  public static <T, P> Field<T, Optional<P>> optional(
      int number, Function<T, Optional<P>> get, Schema<P> schema) {
    FieldForm form = new FieldForm(number, WireKind.MESSAGE, false, schema.forms());
    int tag = form.tag();
    BiConsumer<P, WireWriter> fields = schema::write;
    return Field.<T, Object[], Optional<P>>single(
        form,
        (it, out) -> {
          Optional<P> part = get.apply(it);
          if (part.isPresent()) {
            out.message(tag, part.get(), fields);
          }
        },
        (in, wireType, before) -> merged(schema, in, before),
        read -> read == null ? Optional.empty() : Optional.of(schema.make(read, 0)));
  }

  /** A message that comes again adds to the fields that came before. */
  private static Object merged(Schema<?> schema, WireReader in, @Nullable Object before)
      throws WireException {
    int outer = in.enter();
    Object read = schema.readInto((Object[]) before, in);
    in.leave(outer);
    return read;
  }

  public static <T, P> Field<T, ImmutableList<P>> repeated(
      int number, Function<T, ? extends Collection<P>> get, Schema<P> schema) {
    FieldForm form = new FieldForm(number, WireKind.MESSAGE, true, schema.forms());
    int tag = form.tag();
    BiConsumer<P, WireWriter> fields = schema::write;
    return list(
        form,
        (it, out) -> {
          for (P part : get.apply(it)) {
            out.message(tag, part, fields);
          }
        },
        in -> {
          int outer = in.enter();
          P part = schema.read(in);
          in.leave(outer);
          return part;
        });
  }

  public static <T> Field<T, ImmutableList<String>> strings(
      int number, Function<T, ? extends Collection<String>> get) {
    FieldForm form = new FieldForm(number, WireKind.STRING, true, ImmutableList.of());
    int tag = form.tag();
    return list(
        form,
        (it, out) -> {
          for (String text : get.apply(it)) {
            out.anyString(tag, text);
          }
        },
        WireReader::readString);
  }

  private interface ElementReader<P> {
    P read(WireReader in) throws WireException;
  }

  @SuppressWarnings("unchecked")
  private static <T, P> Field<T, ImmutableList<P>> list(
      FieldForm form, BiConsumer<T, WireWriter> writer, ElementReader<P> element) {
    return Field.<T, ImmutableList.Builder<P>, ImmutableList<P>>single(
        form,
        writer,
        (in, wireType, before) -> {
          ImmutableList.Builder<P> all =
              before == null ? ImmutableList.builder() : (ImmutableList.Builder<P>) before;
          return all.add(element.read(in));
        },
        read -> read == null ? ImmutableList.of() : read.build());
  }

  /** Numbers, packed. */
  public static <T, V> Field<T, V> uint64s(
      int number, Function<T, ImmutableLongArray> get, Function<ImmutableLongArray, V> make) {
    FieldForm form = new FieldForm(number, WireKind.UINT64, true, ImmutableList.of());
    int tag = form.tag();
    return Field.<T, ImmutableLongArray.Builder, V>single(
        form,
        (it, out) -> out.packed(tag, get.apply(it)),
        Field::readNumbers,
        read -> make.apply(read == null ? ImmutableLongArray.of() : read.build()));
  }

  /** A list of them, or a single one: protobuf allows both. */
  private static Object readNumbers(WireReader in, int wireType, @Nullable Object before)
      throws WireException {
    ImmutableLongArray.Builder all =
        before == null ? ImmutableLongArray.builder() : (ImmutableLongArray.Builder) before;
    if (wireType == WireReader.VARINT) {
      return all.add(in.readLongForm());
    }
    int outer = in.enter();
    while (in.remaining() > 0) {
      all.add(in.readLongForm());
    }
    in.leave(outer);
    return all;
  }

  /** Several fields of the message that are one value of the record. */
  public static <T, P> Field<T, P> inline(Function<T, P> get, Schema<P> schema) {
    ImmutableList.Builder<Leaf<T>> leaves = ImmutableList.builder();
    for (Leaf<P> leaf : schema.leaves()) {
      BiConsumer<P, WireWriter> writer = leaf.writer();
      leaves.add(
          new Leaf<>(leaf.form(), (it, out) -> writer.accept(get.apply(it), out), leaf.reader()));
    }
    return new Field<>(leaves.build(), schema::make);
  }
}
