package io.testudo.quorum.wire;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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
      byte[] bytes = (change ? changed(type) : made(type.forms())).toBytes();
      try {
        return (Message) type.decode(new WireReader(bytes));
      } catch (WireException e) {
        // The decoder takes care of this one.
      }
    }
    throw new IllegalStateException("nothing that was made up can be decoded");
  }

  /** This one with long bytes somewhere inside; empty if hardly any such can be decoded. */
  public Optional<Message> longVariantOf(Message message) {
    WireType<?> type = all.typeOf(message);
    for (int tries = 0; tries < MAX_VARIANT_TRIES; tries++) {
      Draft draft = Draft.of(type, message);
      lengthen(draft);
      byte[] bytes = draft.toBytes();
      try {
        return Optional.of((Message) type.decode(new WireReader(bytes)));
      } catch (WireException e) {
        // Out of range.
      }
    }
    return Optional.empty();
  }

  private void lengthen(Draft draft) {
    List<FieldForm> fields =
        draft.forms().stream()
            .filter(field -> isBytes(field) || canLengthen(draft, field))
            .toList();
    if (fields.isEmpty() || entropy.nextInt(8) == 0) {
      change(draft);
      return;
    }
    FieldForm field = fields.get(entropy.nextInt(fields.size()));
    if (isBytes(field)) {
      byte[] bytes = new byte[LONG_BYTES];
      Arrays.fill(bytes, (byte) entropy.nextLong());
      draft.set(field, bytes);
    } else if (field.repeated()) {
      List<Object> all = draft.list(field);
      int index = entropy.nextInt(all.size() + 1);
      Draft inside = index == all.size() ? made(field.inside()) : ((Draft) all.get(index)).copy();
      lengthen(inside);
      all.add(inside);
    } else if (draft.get(field) instanceof Draft inside) {
      lengthen(inside);
    }
  }

  private static boolean isBytes(FieldForm field) {
    return field.kind() == WireKind.BYTES && !field.repeated();
  }

  private static boolean canLengthen(Draft draft, FieldForm field) {
    return field.kind() == WireKind.MESSAGE && (field.repeated() || draft.get(field) != null);
  }

  private Draft changed(WireType<?> type) {
    List<Message> alike = seen.stream().filter(message -> type.type().isInstance(message)).toList();
    Draft draft = Draft.of(type, alike.get(entropy.nextInt(alike.size())));
    change(draft);
    return draft;
  }

  /** Changes a field, or one of a message inside. */
  private void change(Draft draft) {
    if (draft.forms().isEmpty()) {
      return;
    }
    FieldForm field = draft.forms().get(entropy.nextInt(draft.forms().size()));
    boolean isMessage = field.kind() == WireKind.MESSAGE;
    if (isMessage && draft.get(field) instanceof Draft inside && entropy.nextInt(4) > 0) {
      change(inside);
    } else if (isMessage && field.repeated() && !draft.list(field).isEmpty()) {
      List<Object> all = draft.list(field);
      change((Draft) all.get(entropy.nextInt(all.size())));
    } else {
      fill(draft, field);
    }
  }

  private Draft made(ImmutableList<FieldForm> forms) {
    Draft draft = new Draft(forms);
    for (FieldForm field : forms) {
      if (entropy.nextInt(8) > 0) {
        fill(draft, field);
      }
    }
    return draft;
  }

  private void fill(Draft draft, FieldForm field) {
    if (!field.repeated()) {
      draft.set(field, value(field));
      return;
    }
    draft.set(field, null);
    int count = entropy.nextInt(MAX_REPEATED + 1);
    for (int i = 0; i < count; i++) {
      draft.add(field, value(field));
    }
  }

  private Object value(FieldForm field) {
    return switch (field.kind()) {
      case UINT32 -> (int) number();
      case UINT64, SINT64, FIXED64 -> number();
      case BOOL -> entropy.nextInt(2) == 0;
      case STRING -> LONG_TEXT.substring(0, length());
      case BYTES -> bytes();
      case MESSAGE -> made(field.inside());
    };
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
