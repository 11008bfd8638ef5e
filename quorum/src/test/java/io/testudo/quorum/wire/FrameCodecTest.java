package io.testudo.quorum.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.Incarnated;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.wire.WireException.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameCodecTest {
  private static final FrameCodec CODEC = new FrameCodec(PingTypes.ALL, WireLimits.AUTHENTICATED);
  private static final Ping PING = new Ping(5, Incarnations.of(1, 0, 3));
  private static final Pong PONG =
      new Pong(-1, new ServerId(2), Long.MAX_VALUE, Incarnations.of(0, 300, Long.MAX_VALUE));

  private static Fault faultOf(byte[] frame) {
    return faultOf(CODEC, frame);
  }

  private static Fault faultOf(FrameCodec codec, byte[] frame) {
    try {
      codec.decode(frame);
    } catch (WireException e) {
      return e.fault();
    }
    throw new AssertionError("the frame was taken: " + HexFormat.of().formatHex(frame));
  }

  private static byte[] hex(String bytes) {
    return HexFormat.of().parseHex(bytes.replace(" ", ""));
  }

  @Test
  void readsWhatItWrote() throws WireException {
    List<Envelope> envelopes = List.of(new Envelope(1, PING), new Envelope(Long.MIN_VALUE, PONG));

    assertThat(CODEC.decode(CODEC.encode(envelopes))).isEqualTo(Frame.of(envelopes));
    assertThat(CODEC.decode(CODEC.encode(List.of()))).isEqualTo(Frame.of(List.of()));
  }

  @Test
  void takesNothingOfAMessageForTheNextOne() throws WireException {
    Ping empty = new Ping(0, Incarnations.none(0));
    List<Envelope> envelopes = List.of(new Envelope(1, PING), new Envelope(2, empty));

    assertThat(CODEC.decode(CODEC.encode(envelopes))).isEqualTo(Frame.of(envelopes));
  }

  @Test
  void refusesEveryFrameThatEndsInsideOfAMessage() {
    byte[] frame = CODEC.encode(List.of(new Envelope(300, PONG)));
    for (int length = 2; length < frame.length; length++) {
      assertThat(faultOf(Arrays.copyOf(frame, length)))
          .as("cut to %s bytes", length)
          .isEqualTo(Fault.TRUNCATED);
    }
    assertThat(faultOf(new byte[0])).isEqualTo(Fault.TRUNCATED);
  }

  @Test
  void refusesAnotherVersion() {
    byte[] frame = CODEC.encode(List.of(new Envelope(1, PING)));
    frame[0] = 2;
    assertThat(faultOf(frame)).isEqualTo(Fault.UNKNOWN_VERSION);
  }

  @Test
  void passesOverMessagesOfUnknownTypesAndCountsThem() throws WireException {
    byte[] known = CODEC.encode(List.of(new Envelope(1, PING)));
    byte[] unknown = hex("f8 0a 01 03 aa bb cc");
    byte[] frame = Arrays.copyOf(known, known.length + unknown.length);
    System.arraycopy(unknown, 0, frame, known.length, unknown.length);

    Frame decoded = CODEC.decode(frame);
    assertThat(decoded.envelopes()).containsExactly(new Envelope(1, PING));
    assertThat(decoded.skipped()).isEqualTo(1);
  }

  @Test
  void passesOverUnknownFields() throws WireException {
    // Type 1, handle 0, and a field 15 behind the nonce.
    byte[] frame = hex("01 01 00 0b  09 0500000000000000  78 07");
    assertThat(CODEC.decode(frame).envelopes())
        .containsExactly(new Envelope(0, new Ping(5, Incarnations.none(0))));
  }

  @Test
  void refusesALengthAboveTheMaximumOfItsTypeBeforeItParses() {
    int tooLong = PingTypes.PING.maxBytes() + 1;
    byte[] frame = new byte[1 + 1 + 1 + 2 + tooLong];
    frame[0] = 1;
    frame[1] = 1;
    frame[3] = (byte) ((tooLong & 0x7f) | 0x80);
    frame[4] = (byte) (tooLong >> 7);
    assertThat(faultOf(frame)).isEqualTo(Fault.OVERSIZE);
  }

  @Test
  void refusesNumbersThatAreTooLargeOrWrittenTooLong() {
    assertThat(faultOf(hex("01 8080 01")))
        .as("a type number above the last")
        .isEqualTo(Fault.OVERSIZE);
    assertThat(faultOf(hex("01 01 00 ffffffff0f")))
        .as("a length of 4 GiB")
        .isEqualTo(Fault.OVERSIZE);
    assertThat(faultOf(hex("01 01 00 ffffffffffffffffff01")))
        .as("a negative length")
        .isEqualTo(Fault.OVERSIZE);
    assertThat(faultOf(hex("01 8100"))).as("a padded number").isEqualTo(Fault.MALFORMED);
    assertThat(faultOf(hex("01 00 01 00"))).as("type 0").isEqualTo(Fault.MALFORMED);
    assertThat(faultOf(hex("01 01 ffffffffffffffffff02")))
        .as("a handle of 65 bits")
        .isEqualTo(Fault.MALFORMED);
    assertThat(faultOf(hex("01 01 ffffffffffffffffffff01")))
        .as("a number that does not end")
        .isEqualTo(Fault.MALFORMED);
  }

  @Test
  void refusesFramesOverTheLimits() {
    FrameCodec strangers = new FrameCodec(PingTypes.ALL, WireLimits.STRANGER);
    List<Envelope> two = Collections.nCopies(2, new Envelope(1, PING));

    assertThat(faultOf(strangers, CODEC.encode(two))).isEqualTo(Fault.TOO_MANY);
    assertThat(faultOf(strangers, new byte[WireLimits.STRANGER.frameBytes() + 1]))
        .isEqualTo(Fault.OVERSIZE);
    assertThatThrownBy(() -> strangers.encode(two)).isInstanceOf(IllegalArgumentException.class);
    assertThat(strangers.pack(two)).hasSize(2);
  }

  @Test
  void packsWhatIsTooLongForOneFrameIntoSeveral() throws WireException {
    int bytesOfOne = CODEC.encode(List.of(new Envelope(1, PONG))).length - 1;
    FrameCodec narrow = new FrameCodec(PingTypes.ALL, new WireLimits(1 + 2 * bytesOfOne, 100));
    List<Envelope> five = Collections.nCopies(5, new Envelope(1, PONG));
    List<Envelope> unpacked = new ArrayList<>();
    for (byte[] frame : narrow.pack(five)) {
      unpacked.addAll(narrow.decode(frame).envelopes());
    }

    assertThat(narrow.pack(five)).hasSize(3);
    assertThat(unpacked).isEqualTo(five);
    FrameCodec tooNarrow = new FrameCodec(PingTypes.ALL, new WireLimits(bytesOfOne, 100));
    assertThatThrownBy(() -> tooNarrow.pack(five)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesMessagesThatAreWellFormedAndMeanNothing() {
    assertThat(faultOf(hex("01 02 00 0b  09 0500000000000000  10 01")))
        .as("a pong without an incarnation")
        .isEqualTo(Fault.MALFORMED);
    assertThat(faultOf(hex("01 02 00 0d  09 0500000000000000  10 40  18 01")))
        .as("a pong of a server that no cluster has")
        .isEqualTo(Fault.MALFORMED);
    assertThat(faultOf(hex("01 02 00 03 ffffff"))).as("no protobuf").isEqualTo(Fault.MALFORMED);
  }

  @Test
  void refusesAStateRecordInAFrame() {
    byte[] record = new StateCodec(PingTypes.ALL).encode(new Incarnated(1));
    byte[] frame = new byte[record.length + 3];
    frame[0] = 1;
    frame[1] = record[0];
    frame[3] = (byte) (record.length - 1);
    System.arraycopy(record, 1, frame, 4, record.length - 1);
    assertThat(faultOf(frame)).isEqualTo(Fault.MALFORMED);
  }

  @Test
  void refusesToWriteWhatNobodyDescribedOrWhatIsTooLong() {
    record Stranger() implements io.testudo.quorum.protocol.Message {}
    assertThatThrownBy(() -> CODEC.encode(List.of(new Envelope(1, new Stranger()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Stranger is no wire type");
  }

  @Test
  void refusesTwoTypesWithOneNumber() {
    assertThatThrownBy(() -> PingTypes.ALL.and(WireTypes.of(PingTypes.PING)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
