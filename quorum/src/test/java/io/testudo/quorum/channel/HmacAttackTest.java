package io.testudo.quorum.channel;

import static io.testudo.quorum.channel.Conversation.assertRefused;
import static io.testudo.quorum.channel.Town.S0;
import static io.testudo.quorum.channel.Town.S1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.testudo.quorum.channel.ChannelException.Reason;
import io.testudo.quorum.channel.Tamper.Damage;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.cluster.ServerKeyring;
import io.testudo.quorum.cluster.StolenKeys;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What someone on the line, another member or a liar tries against the handshake. */
class HmacAttackTest {
  @TempDir Path directory;

  private final Town town = new Town();

  @Test
  void refusesARecordedClient() throws Exception {
    Conversation recorded = town.talk();
    Handshake server = town.server(S0);
    assertThat(server.receive(recorded.hello().bytes()).guard()).isNull();
    assertRefused(Reason.BAD_MAC, () -> server.receive(recorded.proof().bytes()));
  }

  @Test
  void refusesARecordedServer() throws Exception {
    Conversation recorded = town.talk();
    Handshake client = town.client("alice", S0);
    assertThat(client.begin()).isNotEqualTo(recorded.hello().bytes());
    assertRefused(Reason.BAD_MAC, () -> client.receive(recorded.challenge().bytes()));
  }

  @Test
  void refusesOnesOwnMessagesSentBack() throws Exception {
    Handshake client = town.client("alice", S0);
    byte[] hello = client.begin();
    assertRefused(Reason.WRONG_MODE, () -> client.receive(hello));

    Handshake server = town.server(S0);
    byte[] challenge = server.receive(hello).reply();
    assertRefused(Reason.WRONG_MODE, () -> server.receive(challenge));
  }

  @Test
  void refusesTheServersProofInThePlaceOfTheClients() throws Exception {
    Handshake server = town.server(S0);
    byte[] challenge = server.receive(town.client("mallory", S0).begin()).reply();
    byte[] proof = new byte[2 + 32];
    proof[0] = MessageKind.HMAC_PROOF.number();
    proof[1] = MessageReader.VERSION;
    System.arraycopy(challenge, challenge.length - 32, proof, 2, 32);
    assertRefused(Reason.BAD_MAC, () -> server.receive(proof));
  }

  @Test
  void refusesAClientThatLooksForAnotherServer() {
    assertRefused(
        Reason.WRONG_SERVER, () -> town.server(S1).receive(town.client("alice", S0).begin()));
  }

  @Test
  void refusesAClientOfAnotherCluster() {
    ClientKeyring elsewhere =
        town.secrets().clientKeyring("village", "alice", Town.SERVERS, List.of());
    Handshake client = HmacHandshake.client(elsewhere, S0, Town.SESSION, town.random());
    assertRefused(Reason.WRONG_CLUSTER, () -> town.server(S0).receive(client.begin()));
  }

  @Test
  void refusesTheSameNamesUnderAnotherMaster() throws Exception {
    Town other = new Town();
    Handshake client = town.client("alice", S0);
    byte[] challenge = other.server(S0).receive(client.begin()).reply();
    assertRefused(Reason.BAD_MAC, () -> client.receive(challenge));
  }

  /** A server has its own file, and sees all that any client sends to it. */
  @Test
  void noServerPassesForAnotherServer() throws Exception {
    Path file = directory.resolve("s1.keys");
    town.keysOf(S1).write(file);
    ServerKeyring claimed = StolenKeys.asServer(file, S0);
    Handshake client = town.client("alice", S0);
    byte[] challenge = HmacHandshake.server(claimed, town.random()).receive(client.begin()).reply();
    assertRefused(Reason.BAD_MAC, () -> client.receive(challenge));
  }

  @Test
  void noServerPassesForAClientAtAnotherServer() throws Exception {
    // The key that the liar shares with alice, in the place of the key that s0 shares with her.
    ClientKeyring posing =
        StolenKeys.asClient(
            Town.NAME, "alice", town.keysOf(S1).keyOf("alice", KeyEpochs.FIRST), Town.SERVERS);
    Handshake client = HmacHandshake.client(posing, S0, Town.SESSION, town.random());
    Handshake server = town.server(S0);
    byte[] challenge = server.receive(client.begin()).reply();
    assertRefused(Reason.BAD_MAC, () -> client.receive(challenge));
    // Nor does it help to skip the check and to send some proof.
    Handshake again = town.server(S0);
    assertThat(again.receive(client.begin()).guard()).isNull();
    Conversation own = Conversation.between(town.client("alice", S1), town.server(S1));
    assertRefused(Reason.BAD_MAC, () -> again.receive(own.proof().bytes()));
  }

  @Test
  void noServerRelaysAClientThatDialledIt() throws Exception {
    Handshake client = town.client("alice", S1);
    byte[] hello = client.begin();
    assertRefused(Reason.WRONG_SERVER, () -> town.server(S0).receive(hello));
    byte[] redirected = hello.clone();
    redirected[2] = 0;
    Handshake server = town.server(S0);
    byte[] challenge = server.receive(redirected).reply();
    assertRefused(Reason.BAD_MAC, () -> client.receive(challenge));
  }

  @Test
  void noPrincipalPassesForAnother() throws Exception {
    ClientKeyring posing =
        StolenKeys.asClient(Town.NAME, "bob", town.keysOf("alice").keyFor(S0), Town.SERVERS);
    Handshake client = HmacHandshake.client(posing, S0, Town.SESSION, town.random());
    Handshake server = town.server(S0);
    byte[] challenge = server.receive(client.begin()).reply();
    assertRefused(Reason.BAD_MAC, () -> client.receive(challenge));
  }

  @Test
  void noKeyPassesForOneOfALaterEpoch() throws Exception {
    KeyEpochs next = KeyEpochs.FIRST.raised(EnumSet.of(KeyPurpose.ORDER));
    ClientKeyring posing =
        StolenKeys.asClient(
            Town.NAME, "alice", town.keysOf("alice").keyFor(S0), Town.SERVERS, next);
    Handshake client = HmacHandshake.client(posing, S0, Town.SESSION, town.random());
    byte[] challenge = town.server(S0).receive(client.begin()).reply();
    assertRefused(Reason.BAD_MAC, () -> client.receive(challenge));
  }

  @Test
  void answersKnownAndUnknownPrincipalsAlike() throws Exception {
    Handshake known = HmacHandshake.server(town.keysOf(S0), "alice"::equals, town.random());
    Handshake unknown = HmacHandshake.server(town.keysOf(S0), "alice"::equals, town.random());
    byte[] toKnown = known.receive(town.client("alice", S0).begin()).reply();
    byte[] toUnknown = unknown.receive(town.client("carol", S0).begin()).reply();
    assertThat(toUnknown).hasSameSizeAs(toKnown);
    byte[] noProof = new byte[2 + 32];
    noProof[0] = MessageKind.HMAC_PROOF.number();
    noProof[1] = MessageReader.VERSION;
    assertRefused(Reason.BAD_MAC, () -> known.receive(noProof));
    assertRefused(Reason.BAD_MAC, () -> unknown.receive(noProof));
  }

  @Test
  void refusesEveryDamagedHello() {
    for (Damage damage : Tamper.ofEachKind(town.client("alice", S0).begin().length)) {
      Handshake client = town.client("alice", S0);
      Handshake server = town.server(S0);
      // Damage that the server can't see is seen by the client: its keys differ.
      assertThatThrownBy(() -> client.receive(server.receive(damage.to(client.begin())).reply()))
          .isInstanceOf(ChannelException.class);
    }
  }

  @Test
  void refusesEveryDamagedChallenge() throws Exception {
    for (Damage damage : Tamper.ofEachKind(town.talk().challenge().bytes().length)) {
      Handshake client = town.client("alice", S0);
      byte[] challenge = town.server(S0).receive(client.begin()).reply();
      assertThatThrownBy(() -> client.receive(damage.to(challenge)))
          .isInstanceOf(ChannelException.class);
    }
  }

  @Test
  void refusesEveryDamagedProof() throws Exception {
    for (Damage damage : Tamper.ofEachKind(town.talk().proof().bytes().length)) {
      Handshake client = town.client("alice", S0);
      Handshake server = town.server(S0);
      byte[] proof = client.receive(server.receive(client.begin()).reply()).reply();
      assertThatThrownBy(() -> server.receive(damage.to(proof)))
          .isInstanceOf(ChannelException.class);
    }
  }

  @Test
  void isOverAfterTheFirstMistake() throws Exception {
    Handshake client = town.client("alice", S0);
    Handshake server = town.server(S0);
    byte[] challenge = server.receive(client.begin()).reply();
    byte[] proof = client.receive(challenge).reply();
    assertRefused(Reason.BAD_MAC, () -> server.receive(Tamper.withBitFlipped(proof, 100)));
    assertRefused(Reason.OUT_OF_TURN, () -> server.receive(proof));
    assertRefused(Reason.OUT_OF_TURN, () -> client.receive(challenge));
  }

  @Test
  void neverFailsOtherwiseOnRandomBytes() {
    Random random = new Random(7);
    for (int i = 0; i < 4_000; i++) {
      byte[] message = new byte[random.nextInt(Handshake.MAX_MESSAGE_BYTES + 2)];
      random.nextBytes(message);
      if (message.length > 2 && i % 2 == 0) {
        message[0] = (byte) (1 + i / 2 % 7);
        message[1] = MessageReader.VERSION;
      }
      for (Handshake end : everyEnd()) {
        Throwable thrown = catchThrowable(() -> end.receive(message));
        assertThat(thrown == null || thrown instanceof ChannelException)
            .as("%s at message %s of %s", thrown, i, end)
            .isTrue();
      }
    }
  }

  @Test
  void refusesAMessageAboveTheLimit() {
    byte[] message = new byte[Handshake.MAX_MESSAGE_BYTES + 1];
    assertRefused(Reason.OVERSIZE, () -> town.server(S0).receive(message));
  }

  @Test
  void refusesAnotherVersion() {
    byte[] hello = town.client("alice", S0).begin();
    hello[1] = 2;
    assertRefused(Reason.BAD_VERSION, () -> town.server(S0).receive(hello));
  }

  private Handshake[] everyEnd() {
    return new Handshake[] {
      town.server(S0),
      town.client("alice", S0),
      OpenHandshake.server(Town.NAME, S0),
      OpenHandshake.client("alice", 1, Town.NAME, S0, KeyEpochs.FIRST),
      TlsHello.server("alice", Town.NAME, S0),
      TlsHello.client("alice", 1, Town.NAME, S0, KeyEpochs.FIRST)
    };
  }
}
