package io.testudo.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.testudo.mutex.dht.wire.proto.GapLookupMessage;
import io.testudo.mutex.dht.wire.proto.InsidePart;
import io.testudo.mutex.dht.wire.proto.NodePart;
import io.testudo.mutex.sigma.proto.InquiryMessage;
import io.testudo.mutex.sigma.proto.SigmaRefusedMessage;
import io.testudo.ordering.message.proto.EntryBody;
import io.testudo.ordering.message.proto.SnapshotBody;
import java.util.List;
import java.util.Random;

/** Messages of generated classes with values that records often take. */
final class RandomProtos {
  private static final int MAX_REPEATED = 3;
  private static final int DIGEST_BYTES = 32;
  private static final int HMAC_SEAL_BYTES = 41;
  private static final int SIGNED_SEAL_BYTES = 73;
  private static final List<String> TEXTS =
      List.of("a", "lock", "pr\u00fcfung/1", "\u20ac", "\ud83d\udd12 x", "backoff", "alice");
  private static final long[] NUMBERS = {
    1, 2, 3, 5, 127, 128, 300, 16_384, 1L << 31, 1L << 32, 1L << 42, Long.MAX_VALUE, -1
  };

  private static final Message INQUIRY =
      InquiryMessage.newBuilder().setLock("lock").setTime(5).setNumber(1).build();
  private static final Message REFUSED =
      SigmaRefusedMessage.newBuilder().setTime(5).setReason(1).setLimit(300).build();
  private static final Message GAP =
      GapLookupMessage.newBuilder().setAsker(NodePart.newBuilder().setBits(-7)).build();

  private final Random random;

  RandomProtos(Random random) {
    this.random = random;
  }

  Message like(Message empty) {
    Message.Builder message = empty.newBuilderForType();
    for (FieldDescriptor field : empty.getDescriptorForType().getFields()) {
      if (!field.isRepeated()) {
        if (random.nextInt(8) > 0) {
          message.setField(field, value(message, field));
        }
        continue;
      }
      int count = random.nextInt(MAX_REPEATED + 1);
      List<Object> values =
          random
              .ints(count)
              .mapToObj(any -> value(message, field))
              // Records hold names in order, each once.
              .distinct()
              .sorted((a, b) -> a instanceof String one ? one.compareTo((String) b) : 0)
              .toList();
      message.setField(field, values);
    }
    return settled(message);
  }

  /** Without what a record does not tell: it is bound to another field. */
  private static Message settled(Message.Builder message) {
    switch (message.getDescriptorForType().getName()) {
      case "LockViewPart" -> {
        if (!message.hasField(named(message, "holder"))) {
          message.clearField(named(message, "token"));
          message.clearField(named(message, "remaining_nanos"));
        }
      }
      case "AnsweredMessage" -> {
        if ((Boolean) message.getField(named(message, "forgotten"))) {
          message.clearField(named(message, "result"));
        }
      }
      case "ToReplicaMessage" -> inside(message, "request", 35, INQUIRY);
      case "FromReplicaMessage" -> inside(message, "answer", 39, REFUSED);
      case "HopMessage", "RingLetterMessage" -> inside(message, "payload", 122, GAP);
      default -> {}
    }
    return message.build();
  }

  /** The number and the bytes of a message that may be inside of this one. */
  private static void inside(Message.Builder message, String field, int type, Message held) {
    message.setField(
        named(message, field),
        InsidePart.newBuilder().setType(type).setBody(held.toByteString()).build());
  }

  private static FieldDescriptor named(Message.Builder message, String name) {
    return message.getDescriptorForType().findFieldByName(name);
  }

  private Object value(Message.Builder message, FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> random.nextInt(8);
      case LONG -> random.nextInt(4) == 0 ? random.nextInt(1 << 20) : any();
      case BOOLEAN -> random.nextBoolean();
      case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
      case BYTE_STRING -> bytes(field);
      case MESSAGE -> like(message.newBuilderForField(field).getDefaultInstanceForType());
      default -> throw new IllegalArgumentException("no schema of ours has " + field.getType());
    };
  }

  private Object any() {
    return NUMBERS[random.nextInt(random.nextInt(4) == 0 ? NUMBERS.length : NUMBERS.length / 2)];
  }

  private ByteString bytes(FieldDescriptor field) {
    return switch (field.getName()) {
      case "seal", "rank_seal" ->
          switch (random.nextInt(3)) {
            case 0 -> ByteString.EMPTY;
            case 1 -> bytes(1, HMAC_SEAL_BYTES);
            default -> bytes(2, SIGNED_SEAL_BYTES);
          };
      case "link", "parent" -> bytes(random.nextInt(), DIGEST_BYTES);
      case "snapshot_digest" -> bytes(random.nextInt(), random.nextBoolean() ? DIGEST_BYTES : 0);
      case "body" -> body(field.getContainingType().getName());
      default -> bytes(random.nextInt(), random.nextInt(DIGEST_BYTES));
    };
  }

  private ByteString body(String of) {
    EntryBody.Done done =
        EntryBody.Done.newBuilder().setSession(7).setSequence(3).setFloor(1).build();
    SnapshotBody.Session session =
        SnapshotBody.Session.newBuilder().setSession(7).setExecuted(3).setFirst(2).build();
    return of.equals("SnapshotPart")
        ? SnapshotBody.newBuilder().addSessions(session).build().toByteString()
        : EntryBody.newBuilder().addDone(done).build().toByteString();
  }

  private ByteString bytes(int first, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    if (length > 0) {
      bytes[0] = (byte) first;
    }
    return ByteString.copyFrom(bytes);
  }
}
