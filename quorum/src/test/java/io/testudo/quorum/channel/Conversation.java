package io.testudo.quorum.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.testudo.quorum.channel.ChannelException.Reason;
import java.util.HexFormat;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A handshake in hmac mode led to its end, with all that was sent. */
record Conversation(
    Sent hello, Sent challenge, Sent proof, FrameGuard client, FrameGuard server, PeerClient peer) {

  /** A message on its way. */
  record Sent(String hex) {
    static Sent of(byte[] bytes) {
      return new Sent(HexFormat.of().formatHex(bytes));
    }

    byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }
  }

  static Conversation between(Handshake client, Handshake server) throws ChannelException {
    byte[] hello = client.begin();
    assertThat(server.begin()).isEmpty();
    Progress challenged = server.receive(hello);
    assertThat(challenged.guard()).isNull();
    Progress proven = client.receive(challenged.reply());
    Progress accepted = server.receive(proven.reply());
    assertThat(accepted.reply()).isEmpty();
    return new Conversation(
        Sent.of(hello),
        Sent.of(challenged.reply()),
        Sent.of(proven.reply()),
        Objects.requireNonNull(proven.guard()),
        Objects.requireNonNull(accepted.guard()),
        Objects.requireNonNull(accepted.peer()));
  }

  static void assertRefused(Reason reason, ThrowingCallable attempt) {
    ChannelException refused = catchThrowableOfType(ChannelException.class, attempt);
    assertThat(refused).isNotNull();
    assertThat(refused.reason()).isEqualTo(reason);
  }
}
