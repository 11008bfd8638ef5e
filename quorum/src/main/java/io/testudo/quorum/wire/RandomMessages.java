package io.testudo.quorum.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
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
  private static final int MAX_DEPTH = 6;
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
  private final List<io.testudo.quorum.protocol.Message> seen = new ArrayList<>();
  private final WireTypes all;

  /** Of all types whose records are messages. */
  public RandomMessages(WireTypes types, Entropy entropy) {
    this.all = types;
    this.entropy = entropy;
    for (WireType<?> type : types.all()) {
      if (io.testudo.quorum.protocol.Message.class.isAssignableFrom(type.type())) {
        this.types.add(type);
      }
    }
  }

  /** A message of ordinary traffic. */
  public void saw(io.testudo.quorum.protocol.Message message) {
    if (seen.size() < MAX_SEEN) {
      seen.add(message);
    } else {
      seen.set(entropy.nextInt(MAX_SEEN), message);
    }
  }

  /** Another one. */
  public io.testudo.quorum.protocol.Message next() {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      boolean change = !seen.isEmpty() && entropy.nextInt(2) == 0;
      WireType<?> type =
          change
              ? all.typeOf(seen.get(entropy.nextInt(seen.size())))
              : types.get(entropy.nextInt(types.size()));
      Message proto = change ? changed(type) : made(type.emptyProto(), 0);
      byte[] bytes = proto.toByteArray();
      try {
        return (io.testudo.quorum.protocol.Message) type.decode(bytes, 0, bytes.length);
      } catch (WireException e) {
        // The decoder takes care of this one.
      }
    }
    throw new IllegalStateException("nothing that was made up can be decoded");
  }

  /** This one with long bytes somewhere inside; empty if hardly any such can be decoded. */
  public Optional<io.testudo.quorum.protocol.Message> longVariantOf(
      io.testudo.quorum.protocol.Message message) {
    WireType<?> type = all.typeOf(message);
    for (int tries = 0; tries < MAX_VARIANT_TRIES; tries++) {
      Message.Builder builder = ((Message) type.encode(message)).toBuilder();
      lengthen(builder);
      byte[] bytes = builder.build().toByteArray();
      try {
        return Optional.of(
            (io.testudo.quorum.protocol.Message) type.decode(bytes, 0, bytes.length));
      } catch (WireException e) {
        // Out of range.
      }
    }
    return Optional.empty();
  }

  private void lengthen(Message.Builder builder) {
    List<FieldDescriptor> fields =
        builder.getDescriptorForType().getFields().stream()
            .filter(field -> isBytes(field) || canLengthen(builder, field))
            .toList();
    if (fields.isEmpty() || entropy.nextInt(8) == 0) {
      change(builder, 0);
      return;
    }
    FieldDescriptor field = fields.get(entropy.nextInt(fields.size()));
    if (isBytes(field)) {
      byte[] bytes = new byte[LONG_BYTES];
      Arrays.fill(bytes, (byte) entropy.nextLong());
      builder.setField(field, ByteString.copyFrom(bytes));
    } else if (field.isRepeated()) {
      int index = entropy.nextInt(builder.getRepeatedFieldCount(field) + 1);
      boolean isNew = index == builder.getRepeatedFieldCount(field);
      Message.Builder inner =
          isNew
              ? made(builder.newBuilderForField(field).getDefaultInstanceForType(), 0).toBuilder()
              : ((Message) builder.getRepeatedField(field, index)).toBuilder();
      lengthen(inner);
      builder.addRepeatedField(field, inner.build());
    } else {
      Message.Builder inner = ((Message) builder.getField(field)).toBuilder();
      lengthen(inner);
      builder.setField(field, inner.build());
    }
  }

  private static boolean isBytes(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.BYTE_STRING && !field.isRepeated();
  }

  private static boolean canLengthen(Message.Builder builder, FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        && (field.isRepeated() || builder.hasField(field));
  }

  private Message changed(WireType<?> type) {
    List<io.testudo.quorum.protocol.Message> alike =
        seen.stream().filter(message -> type.type().isInstance(message)).toList();
    Message proto = (Message) type.encode(alike.get(entropy.nextInt(alike.size())));
    Message.Builder builder = proto.toBuilder();
    change(builder, 0);
    return builder.build();
  }

  /** Changes a field, or one of a message inside. */
  private void change(Message.Builder builder, int depth) {
    List<FieldDescriptor> fields = builder.getDescriptorForType().getFields();
    if (fields.isEmpty()) {
      return;
    }
    FieldDescriptor field = fields.get(entropy.nextInt(fields.size()));
    boolean inside = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    if (inside && !field.isRepeated() && builder.hasField(field) && entropy.nextInt(4) > 0) {
      Message.Builder inner = ((Message) builder.getField(field)).toBuilder();
      change(inner, depth + 1);
      builder.setField(field, inner.build());
    } else if (inside && field.isRepeated() && builder.getRepeatedFieldCount(field) > 0) {
      int index = entropy.nextInt(builder.getRepeatedFieldCount(field));
      Message.Builder inner = ((Message) builder.getRepeatedField(field, index)).toBuilder();
      change(inner, depth + 1);
      builder.setRepeatedField(field, index, inner.build());
    } else {
      fill(builder, field, depth);
    }
  }

  private Message made(Message empty, int depth) {
    Message.Builder builder = empty.newBuilderForType();
    for (FieldDescriptor field : empty.getDescriptorForType().getFields()) {
      if (depth < MAX_DEPTH && entropy.nextInt(8) > 0) {
        fill(builder, field, depth);
      }
    }
    return builder.build();
  }

  private void fill(Message.Builder builder, FieldDescriptor field, int depth) {
    if (!field.isRepeated()) {
      builder.setField(field, value(builder, field, depth));
      return;
    }
    builder.clearField(field);
    int count = entropy.nextInt(MAX_REPEATED + 1);
    for (int i = 0; i < count; i++) {
      builder.addRepeatedField(field, value(builder, field, depth));
    }
  }

  private Object value(Message.Builder builder, FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case INT -> (int) number();
      case LONG -> number();
      case FLOAT -> (float) number();
      case DOUBLE -> (double) number();
      case BOOLEAN -> entropy.nextInt(2) == 0;
      case STRING -> LONG_TEXT.substring(0, length());
      case BYTE_STRING -> bytes();
      case ENUM -> constant(field.getEnumType());
      case MESSAGE ->
          made(builder.newBuilderForField(field).getDefaultInstanceForType(), depth + 1);
    };
  }

  private Object constant(EnumDescriptor type) {
    return type.getValues().get(entropy.nextInt(type.getValues().size()));
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

  private ByteString bytes() {
    byte[] bytes = new byte[length()];
    long pattern = entropy.nextLong();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (pattern >>> (i % Long.BYTES * Byte.SIZE));
    }
    return ByteString.copyFrom(bytes);
  }
}
