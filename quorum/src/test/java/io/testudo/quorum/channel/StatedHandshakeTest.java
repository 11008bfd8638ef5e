package io.testudo.quorum.channel;

import static io.testudo.quorum.channel.Conversation.assertRefused;
import static io.testudo.quorum.channel.Town.S0;
import static io.testudo.quorum.channel.Town.S1;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.channel.ChannelException.Reason;
import io.testudo.quorum.cluster.KeyEpochs;
import org.junit.jupiter.api.Test;

/** The modes in which the handshake itself proves nothing. */
class StatedHandshakeTest {
  @Test
  void tellsTheServerWhatTheClientStates() throws Exception {
    Handshake client = OpenHandshake.client("alice", 5, "town", S0, KeyEpochs.FIRST);
    Progress welcomed = OpenHandshake.server("town", S0).receive(client.begin());
    assertThat(welcomed.peer()).isEqualTo(new PeerClient("alice", 5));
    assertThat(welcomed.guard()).isSameAs(FrameGuard.none());
    assertThat(client.receive(welcomed.reply()).guard()).isSameAs(FrameGuard.none());
  }

  @Test
  void takesThePrincipalOfTheCertificateNotOfTheMessage() throws Exception {
    Handshake client = TlsHello.client("bob", 5, "town", S0, KeyEpochs.FIRST);
    Progress welcomed = TlsHello.server("alice", "town", S0).receive(client.begin());
    assertThat(welcomed.peer()).isEqualTo(new PeerClient("alice", 5));
    assertThat(client.receive(welcomed.reply()).guard()).isSameAs(FrameGuard.none());
  }

  @Test
  void refusesOtherModesServersClustersAndPrincipals() {
    byte[] hello = OpenHandshake.client("alice", 5, "town", S0, KeyEpochs.FIRST).begin();
    byte[] helloOfTls = TlsHello.client("alice", 5, "town", S0, KeyEpochs.FIRST).begin();
    assertRefused(Reason.WRONG_MODE, () -> OpenHandshake.server("town", S0).receive(helloOfTls));
    assertRefused(Reason.WRONG_MODE, () -> TlsHello.server("alice", "town", S0).receive(hello));
    assertRefused(Reason.WRONG_SERVER, () -> OpenHandshake.server("town", S1).receive(hello));
    assertRefused(Reason.WRONG_CLUSTER, () -> OpenHandshake.server("city", S0).receive(hello));
    assertRefused(
        Reason.UNKNOWN_PRINCIPAL,
        () -> OpenHandshake.server("town", S0, "bob"::equals).receive(hello));
    assertRefused(
        Reason.UNKNOWN_PRINCIPAL,
        () -> TlsHello.server("alice", "town", S0, "bob"::equals).receive(helloOfTls));
  }

  @Test
  void refusesAnAnswerOfAnotherServer() throws Exception {
    Handshake client = OpenHandshake.client("alice", 5, "town", S0, KeyEpochs.FIRST);
    byte[] welcome =
        OpenHandshake.server("town", S1)
            .receive(OpenHandshake.client("alice", 5, "town", S1, KeyEpochs.FIRST).begin())
            .reply();
    assertRefused(Reason.WRONG_SERVER, () -> client.receive(welcome));
  }
}
