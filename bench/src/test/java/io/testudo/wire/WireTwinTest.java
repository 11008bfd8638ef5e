package io.testudo.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.testudo.bench.strawman.StrawmanTypes;
import io.testudo.client.inquiry.InquiryTypes;
import io.testudo.mutex.backoff.BackoffTypes;
import io.testudo.mutex.dht.wire.RingTypes;
import io.testudo.mutex.protocol.LockListTypes;
import io.testudo.mutex.sigma.SigmaTypes;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.message.proto.EntryBody;
import io.testudo.ordering.message.proto.SnapshotBody;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.cluster.GatewayTypes;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What we write and read of each message and record is what protobuf's own classes, generated of
 * the published schemas, write and read.
 */
class WireTwinTest {
  private static final int TRIES = 150;
  private static final int MIN_ACCEPTED = 6;
  private static final int SPOILT_PER_MESSAGE = 12;
  private static final int FRAMED_TRIES = 40;

  private static final WireTypes TYPES =
      PingTypes.ALL
          .and(GatewayTypes.ALL)
          .and(LockListTypes.ALL)
          .and(BackoffTypes.ALL)
          .and(SigmaTypes.ALL)
          .and(RingTypes.PAYLOADS)
          .and(RingTypes.ALL)
          .and(OrderingTypes.ALL)
          .and(StrawmanTypes.ALL)
          .and(InquiryTypes.ALL);
  private static final FrameCodec FRAMES = new FrameCodec(TYPES, WireLimits.AUTHENTICATED);
  private static final StateCodec RECORDS = new StateCodec(TYPES);

  /** A type of ours, and an empty message of the class that is generated of its schema. */
  record Twin(WireType<?> type, Message empty) {
    @Override
    public String toString() {
      return type.toString();
    }

    boolean isRecord() {
      return StateRecord.class.isAssignableFrom(type.type());
    }

    byte[] write(Object value) {
      byte[] bytes =
          isRecord()
              ? RECORDS.encode((StateRecord) value)
              : FRAMES.encode(List.of(new Envelope(0, (io.testudo.quorum.protocol.Message) value)));
      return Arrays.copyOfRange(bytes, headerLength(bytes), bytes.length);
    }

    private int headerLength(byte[] bytes) {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      try {
        if (isRecord()) {
          assertThat(in.readUInt32()).isEqualTo(type.number());
        } else {
          assertThat(in.readRawByte()).isEqualTo((byte) FrameCodec.VERSION);
          assertThat(in.readUInt32()).isEqualTo(type.number());
          assertThat(in.readUInt64()).isZero();
          assertThat(in.readUInt32()).isEqualTo(bytes.length - in.getTotalBytesRead());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return in.getTotalBytesRead();
    }

    /** The value, or null if the bytes are refused. */
    @Nullable Object read(byte[] body) {
      try {
        return readOrThrow(body);
      } catch (WireException refused) {
        assertThat(refused.fault()).isEqualTo(WireException.Fault.MALFORMED);
        return null;
      }
    }

    Object readOrThrow(byte[] body) throws WireException {
      return isRecord()
          ? RECORDS.decode(framed(body))
          : FRAMES.decode(framed(body)).envelopes().get(0).message();
    }

    private byte[] framed(byte[] body) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        if (!isRecord()) {
          out.writeRawByte(FrameCodec.VERSION);
        }
        out.writeUInt32NoTag(type.number());
        if (!isRecord()) {
          out.writeUInt64NoTag(0);
          out.writeUInt32NoTag(body.length);
        }
        out.writeRawBytes(body);
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }

    @Nullable Message parse(byte[] body) {
      return parseOrNull(body, empty);
    }
  }

  static Stream<Twin> twins() {
    return TYPES.all().stream().map(type -> new Twin(type, Generated.of(type)));
  }

  @ParameterizedTest
  @MethodSource("twins")
  void protobufReadsWhatWeWriteAndWritesWhatWeRead(Twin twin) {
    RandomProtos protos = new RandomProtos(new Random(twin.type().number()));
    int accepted = 0;
    for (int i = 0; i < TRIES; i++) {
      Message sent = protos.like(twin.empty());
      Object value = twin.read(sent.toByteArray());
      if (value == null) {
        continue;
      }
      accepted++;
      byte[] written = twin.write(value);
      Message heard = Objects.requireNonNull(twin.parse(written));
      assertThat(heard.toByteArray()).isEqualTo(written);
      assertThat(whole(heard)).isEqualTo(whole(sent));
      assertThat(twin.read(written)).isEqualTo(value);
      assertNamedAlike(value, heard);
    }
    assertThat(accepted).isGreaterThan(MIN_ACCEPTED);
  }

  @Test
  void readsAndWritesBodiesOfEntriesAndBasesAsProtobufDoes() {
    assertSameBodies(
        EntryBody.getDefaultInstance(),
        bytes -> io.testudo.ordering.log.EntryBody.read(bytes).toBytes());
    assertSameBodies(
        SnapshotBody.getDefaultInstance(),
        bytes -> io.testudo.ordering.log.SnapshotBody.read(bytes).toBytes());
  }

  private static void assertSameBodies(Message empty, UnaryOperator<Bytes> readAndWrite) {
    Random random = new Random(1);
    RandomProtos protos = new RandomProtos(random);
    byte[] other = protos.like(empty).toByteArray();
    int accepted = 0;
    int acceptedSpoilt = 0;
    for (int i = 0; i < TRIES; i++) {
      byte[] sent = protos.like(empty).toByteArray();
      byte[] written = readAndWriteOrNull(sent, readAndWrite);
      if (written == null) {
        continue; // No such operation or session can be.
      }
      assertThat(written).isEqualTo(sent);
      accepted++;
      for (int j = 0; j < SPOILT_PER_MESSAGE; j++) {
        byte[] spoilt = Spoiler.spoil(sent, other, random);
        if (!Spoiler.mayHoldAnEndlessNumber(spoilt)) {
          acceptedSpoilt += assertReadAlike(spoilt, empty, readAndWrite) ? 1 : 0;
        }
      }
    }
    assertThat(accepted).isGreaterThan(MIN_ACCEPTED);
    assertThat(acceptedSpoilt).isGreaterThan(MIN_ACCEPTED);
  }

  /** Whether the bytes were taken. */
  private static boolean assertReadAlike(
      byte[] body, Message empty, UnaryOperator<Bytes> readAndWrite) {
    byte[] ours = readAndWriteOrNull(body, readAndWrite);
    Message theirs = parseOrNull(body, empty);
    byte[] same = theirs == null ? null : readAndWriteOrNull(theirs.toByteArray(), readAndWrite);
    if (ours == null && same != null) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> readAndWrite.apply(Bytes.copyOf(body)))
          .withMessageEndingWith("no value has the form 3");
    } else {
      assertThat(ours).isEqualTo(same);
    }
    return ours != null;
  }

  private static byte @Nullable [] readAndWriteOrNull(
      byte[] body, UnaryOperator<Bytes> readAndWrite) {
    try {
      return readAndWrite.apply(Bytes.copyOf(body)).toByteArray();
    } catch (IllegalArgumentException refused) {
      return null;
    }
  }

  /** What protobuf reads, or null. */
  private static @Nullable Message parseOrNull(byte[] body, Message empty) {
    try {
      return (Message) DiscardUnknownFieldsParser.wrap(empty.getParserForType()).parseFrom(body);
    } catch (InvalidProtocolBufferException refused) {
      return null;
    }
  }

  @Test
  void readsEachMessageOfAFrameByItselfAndKeepsNothingOfTheFrame() throws WireException {
    Random random = new Random(1);
    RandomProtos protos = new RandomProtos(random);
    List<Envelope> sent = new ArrayList<>();
    for (Twin twin : twins().filter(it -> !it.isRecord()).toList()) {
      for (int i = 0; i < FRAMED_TRIES; i++) {
        Object value = twin.read(protos.like(twin.empty()).toByteArray());
        if (value instanceof io.testudo.quorum.protocol.Message message) {
          sent.add(new Envelope(sent.size(), message));
        }
      }
    }
    Collections.shuffle(sent, random);
    byte[] frame = FRAMES.encode(sent);
    byte[] scratch = Arrays.copyOf(frame, frame.length + 1);
    List<Envelope> heard = FRAMES.decode(scratch, frame.length).envelopes();
    random.nextBytes(scratch);
    assertThat(heard).isEqualTo(sent);
    assertThat(FRAMES.encode(heard)).isEqualTo(frame);
  }

  /** With all messages inside that may be missing: most records do not tell these from empty. */
  private static Message whole(Message message) {
    Message.Builder whole = message.toBuilder();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
        continue;
      }
      if (field.isRepeated()) {
        for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
          whole.setRepeatedField(field, i, whole((Message) message.getRepeatedField(field, i)));
        }
      } else {
        whole.setField(field, whole((Message) message.getField(field)));
      }
    }
    return whole.build();
  }

  /** A field of ours that has the name of one of theirs must be that one, and no neighbour. */
  private static void assertNamedAlike(Object value, Message message) {
    for (RecordComponent ours : value.getClass().getRecordComponents()) {
      for (FieldDescriptor theirs : message.getDescriptorForType().getFields()) {
        Class<?> type = ours.getType();
        if (theirs.getJsonName().equals(ours.getName())
            && (type.isPrimitive() || type == String.class)) {
          assertThat(valueOf(ours, value)).as(ours.getName()).isEqualTo(message.getField(theirs));
        }
      }
    }
  }

  private static Object valueOf(RecordComponent component, Object value) {
    try {
      return component.getAccessor().invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a record's component can not be read", e);
    }
  }

  @ParameterizedTest
  @MethodSource("twins")
  void readsSpoiltBytesAsProtobufDoesOrRefusesThemAsItDoes(Twin twin) {
    Random random = new Random(twin.type().number());
    RandomProtos protos = new RandomProtos(random);
    Message other = protos.like(twin.empty());
    int accepted = 0;
    for (int i = 0; i < TRIES; i++) {
      byte[] whole = protos.like(twin.empty()).toByteArray();
      if (twin.read(whole) == null) {
        continue;
      }
      for (int j = 0; j < SPOILT_PER_MESSAGE; j++) {
        byte[] spoilt = Spoiler.spoil(whole, other.toByteArray(), random);
        if (spoilt.length <= twin.type().maxBytes() && !Spoiler.mayHoldAnEndlessNumber(spoilt)) {
          accepted += assertReadAlike(twin, spoilt) ? 1 : 0;
        }
      }
    }
    assertThat(accepted).isGreaterThan(MIN_ACCEPTED);
  }

  @ParameterizedTest
  @MethodSource("twins")
  void readsAnyBytesAsProtobufDoesOrRefusesThemAsItDoes(Twin twin) {
    Random random = new Random(twin.type().number());
    for (int i = 0; i < TRIES; i++) {
      byte[] bytes = new byte[random.nextInt(Math.min(48, twin.type().maxBytes()))];
      random.nextBytes(bytes);
      if (!Spoiler.mayHoldAnEndlessNumber(bytes)) {
        assertReadAlike(twin, bytes);
      }
    }
  }

  /** Whether the bytes were taken. */
  private static boolean assertReadAlike(Twin twin, byte[] bytes) {
    Object ours = twin.read(bytes);
    Message theirs = twin.parse(bytes);
    // What protobuf has read it writes in one form, which the test above has compared.
    Object same = theirs == null ? null : twin.read(theirs.toByteArray());
    if (ours == null && same != null) {
      assertThatExceptionOfType(WireException.class)
          .isThrownBy(() -> twin.readOrThrow(bytes))
          .withMessageEndingWith("no value has the form 3");
    } else {
      assertThat(ours).isEqualTo(same);
    }
    return ours != null;
  }

  @Test
  void refusesNumbersOfMoreThanTenBytesAndTakesPaddedOnes() {
    Twin twin = new Twin(PingTypes.PING, Generated.of(PingTypes.PING));
    byte[] padded = {0x10, (byte) 0x83, (byte) 0x80, (byte) 0x80, 0};
    byte[] eleven = new byte[12];
    eleven[0] = 0x10;
    Arrays.fill(eleven, 1, 11, (byte) 0x80);
    assertThat(twin.read(padded)).isEqualTo(twin.read(new byte[] {0x10, 3})).isNotNull();
    assertThat(twin.read(eleven)).isNull();
  }

  @Test
  void refusesGroupsWhichNoSchemaOfOursHas() {
    Twin twin = new Twin(PingTypes.PING, Generated.of(PingTypes.PING));
    byte[] group = {0x7b, 0x7c};
    assertThat(twin.parse(group)).isNotNull();
    assertThat(twin.read(group)).isNull();
  }
}
