package io.testudo.quorum.channel;

import static io.testudo.quorum.channel.Conversation.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.crypto.Hmac;
import io.testudo.quorum.channel.ChannelException.Reason;
import io.testudo.quorum.channel.Tamper.Damage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameGuardTest {
  private static final byte[] FRAME = "a frame".getBytes(StandardCharsets.UTF_8);

  private final Town town = new Town();
  private FrameGuard client = FrameGuard.none();
  private FrameGuard server = FrameGuard.none();

  @BeforeEach
  void connect() throws Exception {
    Conversation talk = town.talk();
    client = talk.client();
    server = talk.server();
  }

  @Test
  void refusesAFrameSentTwice() throws Exception {
    byte[] mac = client.seal(frame());
    server.open(frame(), mac);
    assertRefused(Reason.REPLAY, () -> server.open(frame(), mac));
  }

  /** A long frame must not be hashed for each place at which it may have been before. */
  @Test
  void tellsAReplayByItsCodeAlone() throws Exception {
    byte[] mac = client.seal(frame());
    server.open(frame(), mac);
    assertRefused(Reason.REPLAY, () -> server.open(ByteBuffer.wrap(new byte[99]), mac));
  }

  @Test
  void refusesAFrameThatOvertookAnother() {
    client.seal(frame());
    byte[] second = client.seal(frame());
    assertRefused(Reason.BAD_MAC, () -> server.open(frame(), second));
  }

  @Test
  void refusesWhatFollowsARefusedFrame() {
    byte[] first = client.seal(frame());
    assertRefused(Reason.BAD_MAC, () -> server.open(frame(), new byte[Hmac.LENGTH]));
    assertRefused(Reason.BAD_MAC, () -> server.open(frame(), first));
  }

  @Test
  void refusesAFrameOfTheOtherDirection() {
    byte[] fromServer = server.seal(frame());
    assertRefused(Reason.BAD_MAC, () -> server.open(frame(), fromServer));
    byte[] fromClient = client.seal(frame());
    assertRefused(Reason.BAD_MAC, () -> client.open(frame(), fromClient));
  }

  @Test
  void refusesAFrameOfAnotherConnectionOfTheSameSession() throws Exception {
    byte[] elsewhere = town.talk().client().seal(frame());
    assertRefused(Reason.BAD_MAC, () -> server.open(frame(), elsewhere));
  }

  @Test
  void refusesEveryDamagedFrame() throws Exception {
    for (Damage damage : Tamper.ofEachKind(FRAME.length)) {
      connect();
      byte[] mac = client.seal(frame());
      ByteBuffer damaged = ByteBuffer.wrap(damage.to(FRAME));
      assertRefused(Reason.BAD_MAC, () -> server.open(damaged, mac));
    }
  }

  @Test
  void refusesEveryDamagedCode() throws Exception {
    for (Damage damage : Tamper.ofEachKind(Hmac.LENGTH)) {
      connect();
      byte[] mac = damage.to(client.seal(frame()));
      assertRefused(Reason.BAD_MAC, () -> server.open(frame(), mac));
    }
  }

  @Test
  void sealsAFrameInPiecesLikeTheWhole() throws Exception {
    byte[] mac = client.seal(ByteBuffer.wrap(FRAME, 0, 3), ByteBuffer.wrap(FRAME, 3, 4));
    server.open(frame(), mac);
    assertThat(mac).hasSize(client.overhead());
  }

  @Test
  void addsNothingWhereNothingIsProtected() throws Exception {
    FrameGuard none = FrameGuard.none();
    assertThat(none.overhead()).isZero();
    assertThat(none.seal(frame())).isEmpty();
    none.open(frame(), new byte[0]);
    assertThatThrownBy(() -> none.open(frame(), new byte[1])).isInstanceOf(ChannelException.class);
  }

  private static ByteBuffer frame() {
    return ByteBuffer.wrap(FRAME);
  }
}
