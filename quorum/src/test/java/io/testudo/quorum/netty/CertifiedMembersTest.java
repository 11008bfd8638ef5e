package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.crypto.CertificateAuthority;
import io.testudo.crypto.TlsIdentity;
import io.testudo.crypto.TrustedAuthorities;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.protocol.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that show by one certificate, at either end of a connection, which member they are. */
@Timeout(60)
class CertifiedMembersTest {
  private static final Ping HELLO = new Ping(1, Incarnations.none(1));

  private final Instant now = Instant.now();
  private final CertificateAuthority town = authority();
  private final ServerLoops loops = ServerLoops.start(1);
  private final List<Talker> talkers = new ArrayList<>();

  private CertificateAuthority authority() {
    return CertificateAuthority.create("town", new SecureRandom(), now);
  }

  @AfterEach
  void stop() {
    talkers.forEach(talker -> talker.peer.close());
    loops.close();
  }

  /** Answers what it hears, and remembers who it was. */
  private final class Talker implements NettyPeer.Mail {
    final NettyPeer peer;
    final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    Talker(NettyPeer peer) {
      this.peer = peer;
      talkers.add(this);
      peer.deliverTo(this);
    }

    @Override
    public void accepted(ClientId from, Message message) {
      heard.add("from " + from.principal());
      assertThat(peer.answer(from, message)).isTrue();
    }

    @Override
    public void dialled(Endpoint from, @Nullable String member, Message message) {
      heard.add("by " + member);
    }

    void say(Talker to) {
      Endpoint at = new Endpoint("127.0.0.1", to.peer.address().getPort());
      peer.execute(() -> peer.dial(at, HELLO));
    }

    String next() throws InterruptedException {
      String next = heard.poll(30, TimeUnit.SECONDS);
      assertThat(next).isNotNull();
      return next;
    }
  }

  private Talker listening(MemberCredentials own, Gate gate) throws IOException {
    NettyPeer peer =
        NettyPeer.listening(
            loops, own, gate, HostResolver.ofSystem(), LinkLimits.standard(), PingTypes.ALL);
    Talker talker = new Talker(peer);
    peer.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return talker;
  }

  private Talker member(String name) throws IOException, CertificateException {
    return listening(credentials(town, name, town.certificate()), Gate.everybody());
  }

  private MemberCredentials credentials(
      CertificateAuthority by, String name, X509Certificate... trusted)
      throws CertificateException {
    return MemberCredentials.tls(
        by.issueMember(name, now), List.of(trusted), name, KeyEpochs.FIRST);
  }

  /** One that shows whatever it has. */
  private Talker impostor(TlsIdentity shown) throws IOException, CertificateException {
    TrustedAuthorities trusted = TrustedAuthorities.of(List.of(town.certificate()));
    return listening(
        MemberCredentials.unchecked(shown, trusted, "m9", KeyEpochs.FIRST), Gate.everybody());
  }

  private Talker client(String name) throws CertificateException {
    return new Talker(
        NettyPeer.beside(
            null,
            HostResolver.ofSystem(),
            ClientCredentials.tls(town.issueClient(name, now), town.certificate(), KeyEpochs.FIRST),
            LinkLimits.standard(),
            PingTypes.ALL));
  }

  private static void await(LinkCounters counters, String kind) {
    while (counters.count(kind) == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void bothEndsKnowWhoTheOtherIs() throws Exception {
    Talker first = member("m1");
    Talker second = member("m2");
    first.say(second);
    assertThat(second.next()).isEqualTo("from m1");
    assertThat(first.next()).isEqualTo("by m2");
    second.say(first);
    assertThat(first.next()).isEqualTo("from m2");
    assertThat(second.next()).isEqualTo("by m1");
    Talker alice = client("alice");
    alice.say(first);
    assertThat(first.next()).isEqualTo("from alice");
    assertThat(alice.next()).isEqualTo("by m1");
  }

  /** Of this ring, but none of them that of a member by this authority. */
  private Stream<TlsIdentity> wrong() {
    return Stream.of(
        town.issueClient("m9", now),
        town.issueServer(0, List.of("127.0.0.1"), now),
        authority().issueMember("m9", now));
  }

  @Test
  void nobodyTalksToOneThatShowsNoMembersCertificate() throws Exception {
    for (TlsIdentity shown : wrong().toList()) {
      Talker impostor = impostor(shown);
      Talker member = member("m1");
      Talker alice = client("alice");
      member.say(impostor);
      alice.say(impostor);
      await(member.peer.counters(), "tls");
      await(alice.peer.counters(), "tls");
      assertThat(impostor.heard).isEmpty();
      assertThat(member.heard).isEmpty();
      assertThat(alice.heard).isEmpty();
    }
  }

  @Test
  void noMemberListensToACertificateOfAServerOrAnotherAuthority() throws Exception {
    for (TlsIdentity shown : wrong().skip(1).toList()) {
      Talker impostor = impostor(shown);
      Talker member = member("m1");
      impostor.say(member);
      await(member.peer.doorCounters(), "tls");
      assertThat(member.heard).isEmpty();
      assertThat(member.peer.accepted()).isZero();
    }
  }

  @Test
  void aMemberTakesOnlyItsOwnCertificate() {
    assertThatThrownBy(
            () ->
                MemberCredentials.tls(
                    town.issueMember("m2", now),
                    List.of(town.certificate()),
                    "m1",
                    KeyEpochs.FIRST))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("that of member m2, this is m1");
    assertThatThrownBy(
            () ->
                MemberCredentials.tls(
                    town.issueClient("m1", now),
                    List.of(town.certificate()),
                    "m1",
                    KeyEpochs.FIRST))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("certificate of a client");
    assertThatThrownBy(() -> credentials(authority(), "m1", town.certificate()))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("not of the cluster's authority");
  }

  @Test
  void turnsAwayFromMembersThatAreKnownNoLonger() throws Exception {
    Rights[] rights = {rights("m1", "m2")};
    Talker first = listening(credentials(town, "m1", town.certificate()), Gate.of(() -> rights[0]));
    Talker second = member("m2");
    Talker third = member("m3");
    first.say(third);
    await(first.peer.counters(), "unknown-principal");
    first.say(second);
    assertThat(second.next()).isEqualTo("from m1");
    assertThat(first.next()).isEqualTo("by m2");
    long before = first.peer.counters().count("unknown-principal");
    rights[0] = rights("m1");
    first.peer.rightsChanged();
    while (first.peer.counters().count("unknown-principal") == before
        || second.peer.accepted() > 0) {
      Thread.onSpinWait();
    }
    assertThat(third.heard).isEmpty();
  }

  private static Rights rights(String... members) {
    return Rights.of(
        Stream.of(members).map(name -> Grant.of(name, EnumSet.of(Right.ADMINISTER), "")).toList(),
        List.of());
  }

  @Test
  void endsConnectionsToMembersThatNoAuthorityVouchesForAnyMore() throws Exception {
    CertificateAuthority next = authority();
    Talker first = member("m1");
    Talker second = member("m2");
    first.say(second);
    assertThat(second.next()).isEqualTo("from m1");
    assertThat(first.next()).isEqualTo("by m2");
    first.peer.use(credentials(next, "m1", town.certificate(), next.certificate()));
    second.peer.use(credentials(next, "m2", town.certificate(), next.certificate()));
    first.say(second);
    assertThat(second.next()).isEqualTo("from m1");
    assertThat(first.next()).isEqualTo("by m2");
    first.peer.use(credentials(next, "m1", next.certificate()));
    first.say(second);
    assertThat(second.next()).isEqualTo("from m1");
    assertThat(first.next()).isEqualTo("by m2");
    assertThat(first.peer.counters().count("untrusted")).isZero();
    Talker old = member("m3");
    Talker both =
        listening(
            credentials(town, "m4", town.certificate(), next.certificate()), Gate.everybody());
    both.say(old);
    assertThat(old.next()).isEqualTo("from m4");
    assertThat(both.next()).isEqualTo("by m3");
    both.peer.use(credentials(next, "m4", next.certificate()));
    await(both.peer.counters(), "untrusted");
  }
}
