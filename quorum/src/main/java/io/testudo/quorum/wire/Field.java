package io.testudo.quorum.wire;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import io.testudo.crypto.Digest;
import io.testudo.crypto.MalformedSealException;
import io.testudo.crypto.Seal;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.wire.Schema.Slots;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
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
public abstract class Field<T, V> {
  private static final byte[] NO_BYTES = {};

  Field() {}

  /** The fields on the wire. */
  abstract ImmutableList<Leaf<T, ?>> leaves();

  /** The value, of what was read. */
  abstract V in(Slots slots);

  /** A value that is checked or stands for something else. */
  public final <W> Field<T, W> as(Function<V, W> make) {
    Field<T, V> own = this;
    return new Field<>() {
      @Override
      ImmutableList<Leaf<T, ?>> leaves() {
        return own.leaves();
      }

      @Override
      W in(Slots slots) {
        return make.apply(own.in(slots));
      }
    };
  }

  /** Of numbers that come again, the last one counts. */
  private static final class Scalar<T, V> extends Leaf<T, V> {
    private final ToLongFunction<T> get;
    private final LongFunction<V> make;

    Scalar(int number, WireKind kind, ToLongFunction<T> get, LongFunction<V> make) {
      super(number, kind);
      this.get = get;
      this.make = make;
    }

    @Override
    void write(T it, WireWriter out) {
      long value = get.applyAsLong(it);
      switch (kind) {
        case FIXED64 -> out.fixed64(tag, value);
        case SINT64 -> out.number(tag, WireKind.fold(value));
        default -> out.number(tag, value);
      }
    }

    @Override
    void read(WireReader in, int wireType, Slots to) throws WireException {
      to.numbers[number] = kind.readNumber(in);
    }

    @Override
    V in(Slots slots) {
      return make.apply(slots.numbers[number]);
    }
  }

  public static <T> Field<T, Integer> uint32(int number, ToIntFunction<T> get) {
    return uint32(number, get, value -> value);
  }

  /** A number that stands for something else. */
  public static <T, V> Field<T, V> uint32(int number, ToIntFunction<T> get, IntFunction<V> make) {
    return new Scalar<>(
        number,
        WireKind.UINT32,
        it -> Integer.toUnsignedLong(get.applyAsInt(it)),
        value -> make.apply((int) value));
  }

  public static <T> Field<T, Long> uint64(int number, ToLongFunction<T> get) {
    return new Scalar<>(number, WireKind.UINT64, get, Long::valueOf);
  }

  public static <T> Field<T, Long> sint64(int number, ToLongFunction<T> get) {
    return new Scalar<>(number, WireKind.SINT64, get, Long::valueOf);
  }

  public static <T> Field<T, Long> fixed64(int number, ToLongFunction<T> get) {
    return new Scalar<>(number, WireKind.FIXED64, get, Long::valueOf);
  }

  public static <T> Field<T, Boolean> bool(int number, Predicate<T> get) {
    return new Scalar<>(number, WireKind.BOOL, it -> get.test(it) ? 1 : 0, value -> value != 0);
  }

  public static <T> Field<T, String> string(int number, Function<T, String> get) {
    return string(number, get, text -> text);
  }

  /** A text that is checked or stands for something else. */
  public static <T, V> Field<T, V> string(
      int number, Function<T, String> get, Function<String, V> make) {
    return new Leaf<T, V>(number, WireKind.STRING) {
      @Override
      void write(T it, WireWriter out) {
        out.string(tag, get.apply(it));
      }

      @Override
      void read(WireReader in, int wireType, Slots to) throws WireException {
        to.values[number] = in.readString();
      }

      @Override
      V in(Slots slots) {
        return make.apply(slots.values[number] instanceof String text ? text : "");
      }
    };
  }

  public static <T> Field<T, Bytes> bytes(int number, Function<T, Bytes> get) {
    return bytes(number, (it, tag, out) -> out.bytes(tag, get.apply(it)), Bytes::wrap);
  }

  /** Bytes that are those of a digest. */
  public static <T> Field<T, Digest> digest(int number, Function<T, Digest> get) {
    return bytes(number, (it, tag, out) -> out.digest(tag, get.apply(it)), Digest::fromBytes);
  }

  /** Bytes that are those of a seal; empty for none. */
  public static <T> Field<T, Optional<Seal>> seal(int number, Function<T, Optional<Seal>> get) {
    return bytes(
        number,
        (it, tag, out) -> {
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
    void write(T it, int tag, WireWriter out);
  }

  private static <T, V> Field<T, V> bytes(
      int number, BytesWriter<T> writer, Function<byte[], V> make) {
    return new Leaf<T, V>(number, WireKind.BYTES) {
      @Override
      void write(T it, WireWriter out) {
        writer.write(it, tag, out);
      }

      @Override
      void read(WireReader in, int wireType, Slots to) throws WireException {
        to.values[number] = in.readBytes();
      }

      @Override
      V in(Slots slots) {
        return make.apply(slots.values[number] instanceof byte[] bytes ? bytes : NO_BYTES);
      }
    };
  }

  /** A message that is always there; one that is missing has no fields. */
  public static <T, P> Field<T, P> message(int number, Function<T, P> get, Schema<P> schema) {
    return new Nested<>(number, schema) {
      @Override
      void write(T it, WireWriter out) {
        part(get.apply(it), out);
      }

      @Override
      P in(Slots slots) {
        return schema.make(slots.values[number] instanceof Slots part ? part : schema.slots());
      }
    };
  }

  /** A message that may be missing. */
  public static <T, P> Field<T, Optional<P>> optional(
      int number, Function<T, Optional<P>> get, Schema<P> schema) {
    return new Nested<>(number, schema) {
      @Override
      void write(T it, WireWriter out) {
        Optional<P> part = get.apply(it);
        if (part.isPresent()) {
          part(part.get(), out);
        }
      }

      @Override
      Optional<P> in(Slots slots) {
        return slots.values[number] instanceof Slots part
            ? Optional.of(schema.make(part))
            : Optional.empty();
      }
    };
  }

  /** A message that comes again adds to the fields that came before. */
  private abstract static class Nested<T, P, V> extends Leaf<T, V> {
    private final Schema<P> schema;

    Nested(int number, Schema<P> schema) {
      super(number, WireKind.MESSAGE, false, schema);
      this.schema = schema;
    }

    final void part(P part, WireWriter out) {
      int before = out.length();
      schema.write(part, out);
      out.delimit(tag, before);
    }

    @Override
    final void read(WireReader in, int wireType, Slots to) throws WireException {
      Slots part = to.values[number] instanceof Slots before ? before : schema.slots();
      to.values[number] = part;
      int outer = in.enter();
      schema.read(in, part);
      in.leave(outer);
    }
  }

  public static <T, P> Field<T, ImmutableList<P>> repeated(
      int number, Function<T, ? extends Collection<P>> get, Schema<P> schema) {
    return new Repeated<>(number, WireKind.MESSAGE, schema, get) {
      @Override
      void writeOne(P part, WireWriter out) {
        int before = out.length();
        schema.write(part, out);
        out.delimit(tag, before);
      }

      @Override
      Object readOne(WireReader in) throws WireException {
        int outer = in.enter();
        Object part = in.isForDraft() ? schema.readSlots(in) : schema.read(in);
        in.leave(outer);
        return part;
      }
    };
  }

  public static <T> Field<T, ImmutableList<String>> strings(
      int number, Function<T, ? extends Collection<String>> get) {
    return new Repeated<>(number, WireKind.STRING, null, get) {
      @Override
      void writeOne(String text, WireWriter out) {
        out.anyString(tag, text);
      }

      @Override
      Object readOne(WireReader in) throws WireException {
        return in.readString();
      }
    };
  }

  private abstract static class Repeated<T, P> extends Leaf<T, ImmutableList<P>> {
    private final Function<T, ? extends Collection<P>> get;

    Repeated(
        int number,
        WireKind kind,
        @Nullable Schema<?> inside,
        Function<T, ? extends Collection<P>> get) {
      super(number, kind, true, inside);
      this.get = get;
    }

    abstract void writeOne(P one, WireWriter out);

    /** A value, or the slots of one. */
    abstract Object readOne(WireReader in) throws WireException;

    @Override
    final void write(T it, WireWriter out) {
      ImmutableList<P> all = ImmutableList.copyOf(get.apply(it));
      for (int i = all.size() - 1; i >= 0; i--) {
        writeOne(all.get(i), out);
      }
    }

    @Override
    final void read(WireReader in, int wireType, Slots to) throws WireException {
      to.list(number).add(readOne(in));
    }

    @Override
    @SuppressWarnings("unchecked")
    final ImmutableList<P> in(Slots slots) {
      if (slots.values[number] == null) {
        return ImmutableList.of();
      }
      ImmutableList.Builder<P> all = ImmutableList.builder();
      for (Object one : slots.list(number)) {
        all.add((P) (one instanceof Slots part && inside != null ? inside.make(part) : one));
      }
      return all.build();
    }
  }

  /** Numbers, packed. */
  public static <T, V> Field<T, V> uint64s(
      int number, Function<T, ImmutableLongArray> get, Function<ImmutableLongArray, V> make) {
    return new Leaf<T, V>(number, WireKind.UINT64, true, null) {
      @Override
      void write(T it, WireWriter out) {
        out.packed(tag, get.apply(it));
      }

      /** A list of them, or a single one: protobuf allows both. */
      @Override
      void read(WireReader in, int wireType, Slots to) throws WireException {
        boolean isList = wireType != WireReader.VARINT;
        int outer = isList ? in.enter() : 0;
        ImmutableLongArray.Builder all =
            to.values[number] instanceof ImmutableLongArray.Builder before
                ? before
                : ImmutableLongArray.builder(isList ? in.countVarints() : 1);
        to.values[number] = all;
        if (!isList) {
          all.add(in.readLongForm());
          return;
        }
        while (in.remaining() > 0) {
          all.add(in.readLongForm());
        }
        in.leave(outer);
      }

      @Override
      V in(Slots slots) {
        return make.apply(
            slots.values[number] instanceof ImmutableLongArray.Builder all
                ? all.build()
                : ImmutableLongArray.of());
      }
    };
  }

  /** Several fields of the message that are one value of the record. */
  public static <T, P> Field<T, P> inline(Function<T, P> get, Schema<P> schema) {
    return new Field<>() {
      @Override
      ImmutableList<Leaf<T, ?>> leaves() {
        return schema.leaves().stream()
            .map(leaf -> leaf.within(get))
            .collect(ImmutableList.toImmutableList());
      }

      @Override
      P in(Slots slots) {
        return schema.make(slots);
      }
    };
  }
}
