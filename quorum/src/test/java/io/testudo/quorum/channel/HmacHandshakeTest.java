package io.testudo.quorum.channel;

import static io.testudo.quorum.channel.Conversation.assertRefused;
import static io.testudo.quorum.channel.Town.S0;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.channel.ChannelException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HmacHandshakeTest {
  private final Town town = new Town();

  @Test
  void tellsTheServerWhoTheClientIs() throws Exception {
    assertThat(town.talk().peer()).isEqualTo(new PeerClient("alice", Town.SESSION));
  }

  @Test
  void protectsFramesInBothDirections() throws Exception {
    Conversation talk = town.talk();
    for (int i = 0; i < 3; i++) {
      ByteBuffer frame = frame("frame " + i);
      talk.server().open(frame, talk.client().seal(frame));
      talk.client().open(frame, talk.server().seal(frame));
      assertThat(frame.position()).isZero();
    }
  }

  @Test
  void refusesAPrincipalThatTheClusterDoesNotKnowOnlyAfterItsProof() throws Exception {
    Handshake client = town.client("mallory", S0);
    Handshake server = HmacHandshake.server(town.keysOf(S0), "alice"::equals, town.random());
    byte[] proof = client.receive(server.receive(client.begin()).reply()).reply();
    assertRefused(Reason.UNKNOWN_PRINCIPAL, () -> server.receive(proof));
  }

  private static ByteBuffer frame(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
