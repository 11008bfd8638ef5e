package io.testudo.ordering;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.quorum.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * How values become bytes. Equal values must give equal bytes; what was written must be read for
 * ever, so change a codec only together with the version of its type.
 */
public interface Codec<T> {
  Codec<Long> LONG = of((value, out) -> out.writeLong(value), ValueReader::readLong);
  Codec<Integer> INT =
      of((value, out) -> out.writeLong(value), in -> Math.toIntExact(in.readLong()));
  Codec<Double> DOUBLE =
      of(
          (value, out) -> out.writeFixed64(Double.doubleToRawLongBits(value)),
          in -> Double.longBitsToDouble(in.readFixed64()));
  Codec<Boolean> BOOLEAN = of((value, out) -> out.writeBoolean(value), ValueReader::readBoolean);
  Codec<String> STRING = of((value, out) -> out.writeString(value), ValueReader::readString);
  Codec<Bytes> BYTES = of((value, out) -> out.writeBytes(value), ValueReader::readBytes);
  Codec<Nothing> NOTHING = of((value, out) -> {}, in -> Nothing.NOTHING);

  /** Appends a value. */
  void write(T value, ValueWriter out);

  /**
   * Reads what {@link #write} has appended, and nothing beyond it.
   *
   * @throws MalformedValueException if it is not there
   */
  T read(ValueReader in);

  /** A codec of two functions; for a record, write its fields and read them in the same order. */
  static <T> Codec<T> of(BiConsumer<T, ValueWriter> writer, Function<ValueReader, T> reader) {
    return new Codec<>() {
      @Override
      public void write(T value, ValueWriter out) {
        writer.accept(value, out);
      }

      @Override
      public T read(ValueReader in) {
        return reader.apply(in);
      }
    };
  }

  /** A codec of values that can be written as other ones. */
  default <U> Codec<U> mapped(Function<T, U> from, Function<U, T> to) {
    return of((value, out) -> write(to.apply(value), out), in -> from.apply(read(in)));
  }

  static <T> Codec<Optional<T>> optional(Codec<T> codec) {
    return of(
        (value, out) -> {
          out.writeBoolean(value.isPresent());
          value.ifPresent(present -> codec.write(present, out));
        },
        in -> in.readBoolean() ? Optional.of(codec.read(in)) : Optional.empty());
  }

  /** Lists; those that are read cannot be changed. */
  static <T> Codec<List<T>> listOf(Codec<T> codec) {
    return of(
        (values, out) -> {
          out.writeCount(values.size());
          values.forEach(value -> codec.write(value, out));
        },
        in -> {
          ImmutableList.Builder<T> values = ImmutableList.builder();
          for (int left = in.readCount(); left > 0; left--) {
            values.add(codec.read(in));
          }
          return values.build();
        });
  }

  /**
   * Maps in the order of their entries: equal maps in another order give other bytes. Those that
   * are read cannot be changed.
   */
  static <K, V> Codec<Map<K, V>> mapOf(Codec<K> keys, Codec<V> values) {
    return of(
        (map, out) -> {
          out.writeCount(map.size());
          for (Map.Entry<K, V> entry : map.entrySet()) {
            keys.write(entry.getKey(), out);
            values.write(entry.getValue(), out);
          }
        },
        in -> {
          ImmutableMap.Builder<K, V> map = ImmutableMap.builder();
          for (int left = in.readCount(); left > 0; left--) {
            map.put(keys.read(in), values.read(in));
          }
          return map.buildOrThrow();
        });
  }

  /**
   * The bytes of a value.
   *
   * @param what the value is, for the message of the exception
   * @throws ValueTooLargeException if there are more than so many
   */
  default Bytes encode(T value, int maxBytes, String what) {
    ValueWriter out = new ValueWriter(maxBytes, what);
    write(value, out);
    return out.toBytes();
  }

  /**
   * The value of all these bytes.
   *
   * @throws MalformedValueException if some are missing, wrong or left over
   */
  default T decode(Bytes bytes) {
    ValueReader in = new ValueReader(bytes);
    T value = read(in);
    in.requireEnd();
    return value;
  }
}
