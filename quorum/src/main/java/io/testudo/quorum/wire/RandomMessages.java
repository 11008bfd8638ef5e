package io.testudo.quorum.wire;

import com.google.common.primitives.ImmutableLongArray;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.Schema.Slots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Messages as a hostile member may send them: well-typed, for a decoder has let them through, and
 * otherwise anything. Half of them are made up field by field, with a liking for extremes; half are
 * messages that were seen, with one field changed, since only those get past nonces and names.
 */
public final class RandomMessages {
  private static final int MAX_SEEN = 64;
  private static final int MAX_REPEATED = 4;
  private static final int MAX_TRIES = 1_000;
  private static final int MAX_VARIANT_TRIES = 8;
  private static final int LONG_BYTES = 1 << 16;
  private static final AtomicReferenceArray<byte @Nullable []> LONG =
      new AtomicReferenceArray<>(1 << Byte.SIZE);
  private static final int[] LENGTHS = {0, 1, 2, 8, 16, 32, 64, 127, 128, 129, 1_024, 3_000, 5_000};
  private static final int SHORT_LENGTHS = 7;
  private static final String LONG_TEXT = "a/bcdé".repeat(LENGTHS[LENGTHS.length - 1]);
  private static final long[] EXTREMES = {
    0,
    1,
    2,
    3,
    -1,
    -2,
    127,
    128,
    1L << 31,
    (1L << 31) - 1,
    1L << 32,
    1L << 42,
    1L << 61,
    1L << 62,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE - 5_000,
    Long.MAX_VALUE / 2,
    Long.MAX_VALUE / 1_000_000,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1
  };

  private final Entropy entropy;
  private final List<WireType<?>> types = new ArrayList<>();
  private final List<Message> seen = new ArrayList<>();
  private final WireTypes all;

  /** What is written into it is only measured, or read again at once. */
  private final WireWriter scratch = new WireWriter();

  /** Of all types whose records are messages. */
  public RandomMessages(WireTypes types, Entropy entropy) {
    this.all = types;
    this.entropy = entropy;
    for (WireType<?> type : types.all()) {
      if (Message.class.isAssignableFrom(type.type())) {
        this.types.add(type);
      }
    }
  }

  /** A message of ordinary traffic. */
  public void saw(Message message) {
    if (seen.size() < MAX_SEEN) {
      seen.add(message);
    } else {
      seen.set(entropy.nextInt(MAX_SEEN), message);
    }
  }

  /** Another one. */
  public Message next() {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      boolean change = !seen.isEmpty() && entropy.nextInt(2) == 0;
      WireType<?> type =
          change
              ? all.typeOf(seen.get(entropy.nextInt(seen.size())))
              : types.get(entropy.nextInt(types.size()));
      Message message = message(type, change ? changed(type) : made(type.schema()));
      if (message != null) {
        return message;
      }
    }
    throw new IllegalStateException("nothing that was made up can be decoded");
  }

  /** This one with long bytes somewhere inside; empty if hardly any such can be decoded. */
  public Optional<Message> longVariantOf(Message message) {
    WireType<?> type = all.typeOf(message);
    byte[] written = written(type, message);
    for (int tries = 0; tries < MAX_VARIANT_TRIES; tries++) {
      Slots draft = draft(type, written);
      lengthen(type.schema(), draft);
      Message variant = message(type, draft);
      if (variant != null) {
        return Optional.of(variant);
      }
    }
    return Optional.empty();
  }

  private byte[] written(WireType<?> type, Message message) {
    scratch.clear();
    type.write(message, scratch);
    return scratch.toBytes();
  }

  /** What a message says, to be changed to what no record would hold. */
  private static Slots draft(WireType<?> type, byte[] written) {
    try {
      return type.schema().readSlots(new WireReader(written).forDraft());
    } catch (WireException e) {
      throw new IllegalStateException("a record of our own can not be read", e);
    }
  }

  /** Null for one that the decoder refuses. */
  private @Nullable Message message(WireType<?> type, Slots draft) {
    try {
      Message made = (Message) type.schema().make(draft);
      scratch.clear();
      type.write(made, scratch); // It may be too long.
      return made;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private void lengthen(Schema<?> schema, Slots draft) {
    List<? extends Leaf<?, ?>> fields =
        schema.leaves().stream().filter(it -> isBytes(it) || canLengthen(draft, it)).toList();
    if (fields.isEmpty() || entropy.nextInt(8) == 0) {
      change(schema, draft);
      return;
    }
    Leaf<?, ?> field = fields.get(entropy.nextInt(fields.size()));
    Schema<?> inside = field.inside;
    if (inside == null) {
      draft.values[field.number] = longBytes((byte) entropy.nextLong());
    } else if (field.repeated) {
      List<Object> all = draft.list(field.number);
      int index = entropy.nextInt(all.size() + 1);
      Slots part = index == all.size() ? made(inside) : ((Slots) all.get(index)).copy();
      lengthen(inside, part);
      all.add(part);
    } else if (draft.values[field.number] instanceof Slots part) {
      lengthen(inside, part);
    }
  }

  /** Made once: thousands are said in a run, and nobody changes the bytes of a message. */
  private static byte[] longBytes(byte all) {
    byte[] known = LONG.get(all & 0xff);
    if (known == null) {
      known = new byte[LONG_BYTES];
      Arrays.fill(known, all);
      LONG.set(all & 0xff, known);
    }
    return known;
  }

  private static boolean isBytes(Leaf<?, ?> field) {
    return field.kind == WireKind.BYTES && !field.repeated;
  }

  private static boolean canLengthen(Slots draft, Leaf<?, ?> field) {
    return field.inside != null && (field.repeated || draft.values[field.number] != null);
  }

  private Slots changed(WireType<?> type) {
    List<Message> alike = seen.stream().filter(message -> type.type().isInstance(message)).toList();
    Slots draft = draft(type, written(type, alike.get(entropy.nextInt(alike.size()))));
    change(type.schema(), draft);
    return draft;
  }

  /** Changes a field, or one of a message inside. */
  private void change(Schema<?> schema, Slots draft) {
    List<? extends Leaf<?, ?>> fields = schema.leaves();
    if (fields.isEmpty()) {
      return;
    }
    Leaf<?, ?> field = fields.get(entropy.nextInt(fields.size()));
    Schema<?> inside = field.inside;
    if (inside != null
        && draft.values[field.number] instanceof Slots part
        && entropy.nextInt(4) > 0) {
      change(inside, part);
    } else if (inside != null && field.repeated && !draft.list(field.number).isEmpty()) {
      List<Object> all = draft.list(field.number);
      change(inside, (Slots) all.get(entropy.nextInt(all.size())));
    } else {
      fill(draft, field);
    }
  }

  private Slots made(Schema<?> schema) {
    Slots draft = schema.slots();
    for (Leaf<?, ?> field : schema.leaves()) {
      if (entropy.nextInt(8) > 0) {
        fill(draft, field);
      }
    }
    return draft;
  }

  private void fill(Slots draft, Leaf<?, ?> field) {
    int count = field.repeated ? entropy.nextInt(MAX_REPEATED + 1) : 0;
    if (field.packed()) {
      ImmutableLongArray.Builder numbers = ImmutableLongArray.builder();
      for (int i = 0; i < count; i++) {
        numbers.add(number());
      }
      draft.values[field.number] = numbers;
    } else if (field.repeated) {
      draft.values[field.number] = null;
      for (int i = 0; i < count; i++) {
        draft.list(field.number).add(value(field));
      }
    } else {
      switch (field.kind) {
        case UINT32 -> draft.numbers[field.number] = (int) number();
        case UINT64, SINT64, FIXED64 -> draft.numbers[field.number] = number();
        case BOOL -> draft.numbers[field.number] = entropy.nextInt(2) == 0 ? 1 : 0;
        default -> draft.values[field.number] = value(field);
      }
    }
  }

  private Object value(Leaf<?, ?> field) {
    if (field.inside != null) {
      return made(field.inside);
    }
    return field.kind == WireKind.STRING ? LONG_TEXT.substring(0, length()) : bytes();
  }

  private long number() {
    return switch (entropy.nextInt(4)) {
      case 0 -> entropy.nextLong();
      case 1 -> entropy.nextInt(8);
      default -> EXTREMES[entropy.nextInt(EXTREMES.length)];
    };
  }

  /** Mostly a short one: long ones cost the most, and the decoder refuses nearly all of them. */
  private int length() {
    boolean isAny = entropy.nextInt(8) == 0;
    return LENGTHS[entropy.nextInt(isAny ? LENGTHS.length : SHORT_LENGTHS)];
  }

  private byte[] bytes() {
    byte[] bytes = new byte[length()];
    long pattern = entropy.nextLong();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (pattern >>> (i % Long.BYTES * Byte.SIZE));
    }
    return bytes;
  }
}
