package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.crypto.Seal;
import io.testudo.crypto.SealScheme;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.FrameGuard;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.SecurityMode;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.Field;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rights as the servers enforce them. */
@Timeout(60)
class GateTest {
  private static final ServerId S0 = new ServerId(0);
  private static final String CLUSTER = "town";
  private static final WireTypes TYPES =
      WireTypes.of(
          WireType.of(900, Take.class, 100, Schema.of(Field.string(1, Take::name), Take::new)));
  private static final Rights RIGHTS =
      Rights.of(List.of(Grant.of("alice", Set.of(Right.LOCK), "shop/")), List.of("bob"));

  /** Asks for a lock and gets itself back. */
  private record Take(String name) implements Message, Guarded {
    @Override
    public Right right() {
      return Right.LOCK;
    }
  }

  private static final class Echo extends Machine<ClientId> {
    Echo() {
      onMessage(Take.class, this::send);
    }
  }

  private volatile Rights rights = RIGHTS;
  private volatile KeyEpochs epochs = KeyEpochs.FIRST;
  private final ServerLoops loops = ServerLoops.start(1);
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final FrameCodec codec = new FrameCodec(TYPES, WireLimits.AUTHENTICATED);
  private final NettyServer server =
      new NettyServer(
          loops,
          ServerCredentials.hmac(secrets.serverKeyring(CLUSTER, S0)),
          Gate.of(() -> rights, () -> epochs),
          LinkLimits.standard(),
          TYPES);

  @BeforeEach
  void start() throws IOException {
    server.add(() -> new Echo(), loop -> Ledger.none(), event -> {}, broken -> {});
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() {
    server.close();
    loops.close();
    secrets.close();
  }

  private static KeyEpochs next(KeyPurpose purpose) {
    return KeyEpochs.FIRST.raised(Set.of(purpose));
  }

  private FrameGuard authenticate(RawPeer peer, String principal, KeyEpochs keys) throws Exception {
    ClusterDescription description =
        new ClusterDescription(
                CLUSTER,
                SecurityMode.HMAC,
                0,
                ImmutableList.of(new Endpoint("localhost", 1)),
                RIGHTS)
            .with(RIGHTS, keys);
    return peer.authenticate(secrets.clientKeyring(description, principal), S0, 1);
  }

  private FrameGuard authenticate(RawPeer peer, String principal) throws Exception {
    return peer.authenticate(secrets.clientKeyring(CLUSTER, principal, 1, Set.of()), S0, 1);
  }

  private byte[] take(FrameGuard guard, String name) {
    return RawPeer.sealed(guard, codec.encode(List.of(new Envelope(1, new Take(name)))));
  }

  @Test
  void letsThroughWhatARightCovers() throws Exception {
    try (RawPeer alice = new RawPeer(server.address())) {
      FrameGuard guard = authenticate(alice, "alice");
      alice.sendFrame(take(guard, "shop/till"));
      alice.awaitAnswer(guard);
      assertThat(server.counters().counts()).isEmpty();
    }
  }

  @Test
  void dropsAndCountsWhatNoRightCoversAndKeepsTheConnection() throws Exception {
    try (RawPeer alice = new RawPeer(server.address())) {
      FrameGuard guard = authenticate(alice, "alice");
      alice.sendFrame(take(guard, "bank/vault"));
      alice.sendFrame(take(guard, "shop/till"));
      alice.awaitAnswer(guard);
      assertThat(server.counters().counts()).containsOnlyKeys(Refusals.NO_RIGHT);
    }
  }

  @Test
  void givesAKnownPrincipalNoRightOfAnothers() throws Exception {
    try (RawPeer bob = new RawPeer(server.address());
        RawPeer alice = new RawPeer(server.address())) {
      bob.sendFrame(take(authenticate(bob, "bob"), "shop/till"));
      FrameGuard guard = authenticate(alice, "alice");
      alice.sendFrame(take(guard, "shop/till"));
      alice.awaitAnswer(guard);
      while (server.counters().count(Refusals.NO_RIGHT) == 0) {
        Thread.onSpinWait();
      }
      assertThat(server.counters().counts()).containsOnlyKeys(Refusals.NO_RIGHT);
    }
  }

  @Test
  void refusesAPrincipalThatTheClusterDoesNotKnow() throws Exception {
    try (RawPeer eve = new RawPeer(server.address())) {
      FrameGuard guard = authenticate(eve, "eve");
      assertThat(guard.overhead()).isPositive();
      eve.assertClosed();
      assertThat(server.counters().counts()).containsOnlyKeys("unknown-principal");
    }
  }

  @Test
  void enforcesRightsThatChangedOnAConnectionThatIsThere() throws Exception {
    try (RawPeer alice = new RawPeer(server.address())) {
      FrameGuard guard = authenticate(alice, "alice");
      alice.sendFrame(take(guard, "shop/till"));
      alice.awaitAnswer(guard);

      rights = Rights.of(List.of(Grant.of("alice", Set.of(Right.LOCK), "bank/")), List.of());
      server.rightsChanged();
      alice.sendFrame(take(guard, "shop/till"));
      alice.sendFrame(take(guard, "bank/vault"));
      alice.awaitAnswer(guard);
      assertThat(server.counters().counts()).containsOnlyKeys(Refusals.NO_RIGHT);
      assertThat(server.counters().count(Refusals.NO_RIGHT)).isEqualTo(1);
    }
  }

  @Test
  void endsTheConnectionsOfAPrincipalThatIsKnownNoLongerAndNoOthers() throws Exception {
    try (RawPeer alice = new RawPeer(server.address());
        RawPeer bob = new RawPeer(server.address())) {
      FrameGuard guard = authenticate(alice, "alice");
      alice.sendFrame(take(guard, "shop/till"));
      alice.awaitAnswer(guard);
      FrameGuard unused = authenticate(bob, "bob");
      assertThat(unused.overhead()).isPositive();
      while (server.connections() < 2) {
        Thread.onSpinWait(); // The server has yet to see the end of the handshake.
      }

      rights = Rights.of(List.of(Grant.of("alice", Set.of(Right.LOCK), "shop/")), List.of());
      server.rightsChanged();
      bob.assertClosed();
      alice.sendFrame(take(guard, "shop/till"));
      alice.awaitAnswer(guard);
      assertThat(server.counters().counts()).containsOnlyKeys(Refusals.UNKNOWN_PRINCIPAL);
    }
  }

  @Test
  void takesKeysThatAreNewerThanItsOwnClusterFile() throws Exception {
    try (RawPeer alice = new RawPeer(server.address())) {
      FrameGuard guard = authenticate(alice, "alice", next(KeyPurpose.LOCK));
      alice.sendFrame(take(guard, "shop/till"));
      alice.awaitAnswer(guard);
      assertThat(server.counters().counts()).isEmpty();
    }
  }

  @Test
  void refusesKeysOfAnEarlierEpochAlsoOnAConnectionThatIsThere() throws Exception {
    try (RawPeer stale = new RawPeer(server.address());
        RawPeer fresh = new RawPeer(server.address())) {
      FrameGuard guard = authenticate(stale, "alice", KeyEpochs.FIRST);
      stale.sendFrame(take(guard, "shop/till"));
      stale.awaitAnswer(guard);

      epochs = next(KeyPurpose.LOCK);
      stale.sendFrame(take(guard, "shop/till"));
      stale.awaitAnswer(guard); // It is told.
      assertThat(server.counters().counts()).containsOnlyKeys(Refusals.OLD_KEYS);
      FrameGuard other = authenticate(fresh, "alice", epochs);
      fresh.sendFrame(take(other, "shop/till"));
      fresh.awaitAnswer(other);
      assertThat(server.counters().count(Refusals.OLD_KEYS)).isEqualTo(1);
    }
  }

  @Test
  void doesNotAskForNewerKeysThanThePrincipalHasAny() throws Exception {
    epochs = next(KeyPurpose.ORDER);
    try (RawPeer alice = new RawPeer(server.address())) {
      FrameGuard guard = authenticate(alice, "alice", KeyEpochs.FIRST);
      alice.sendFrame(take(guard, "shop/till"));
      alice.awaitAnswer(guard);
      assertThat(server.counters().counts()).isEmpty();
    }
  }

  private record Sealed(String name, Optional<Seal> seal) implements Guarded {
    @Override
    public Right right() {
      return Right.LOCK;
    }
  }

  private static Sealed sealed(SealScheme scheme, int proofBytes) throws Exception {
    byte[] encoded = new byte[1 + Long.BYTES + proofBytes];
    encoded[0] = (byte) scheme.number();
    return new Sealed("till", Optional.of(Seal.decode(encoded)));
  }

  @Test
  void seesWithWhatKindOfKeyAMessageIsSealed() throws Exception {
    Sealed byGroup = sealed(SealScheme.HMAC_SHA256, 32);
    Sealed signed = sealed(SealScheme.ED25519, Long.BYTES + 64);
    Sealed unsealed = new Sealed("till", Optional.empty());
    Gate ofGroups = Gate.everybody().withSeals(SealScheme.HMAC_SHA256);
    Gate ofSigners = Gate.everybody().withSeals(SealScheme.ED25519);

    assertThat(ofGroups.takesSeal(byGroup)).isTrue();
    assertThat(ofGroups.takesSeal(signed)).isFalse();
    assertThat(ofSigners.takesSeal(byGroup)).isFalse();
    assertThat(ofSigners.takesSeal(signed)).isTrue();
    assertThat(ofSigners.takesSeal(unsealed)).isTrue();
    assertThat(Gate.everybody().takesSeal(signed)).isTrue();
  }

  @Test
  void takesOtherLimitsWhileItRuns() throws Exception {
    server.replaceLimits(LinkLimits.standard().withConnections(1, 1, 1));
    try (RawPeer alice = new RawPeer(server.address())) {
      FrameGuard guard = authenticate(alice, "alice");
      alice.sendFrame(take(guard, "shop/till"));
      alice.awaitAnswer(guard);
      try (RawPeer second = new RawPeer(server.address())) {
        FrameGuard unused = authenticate(second, "bob");
        assertThat(unused.overhead()).isPositive();
        second.assertClosed();
      }
      assertThat(server.counters().counts()).containsOnlyKeys(Refusals.TOO_MANY);

      server.replaceLimits(LinkLimits.standard());
      try (RawPeer third = new RawPeer(server.address())) {
        FrameGuard other = authenticate(third, "bob");
        assertThat(other.overhead()).isPositive();
      }
    }
  }
}
