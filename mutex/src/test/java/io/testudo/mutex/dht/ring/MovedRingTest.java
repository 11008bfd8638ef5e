package io.testudo.mutex.dht.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.Lease;
import io.testudo.mutex.client.LockClient;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.MemberCredentials;
import io.testudo.quorum.netty.ServerLoops;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members whose names stand for other addresses than before are found again. */
@Timeout(120)
class MovedRingTest {
  private static final RingProtocol PROTOCOL = RingProtocols.ALL.get(0);
  private static final Endpoint M0 = new Endpoint("m0.example", 7_000);
  private static final Endpoint M1 = new Endpoint("m1.example", 7_000);

  /** What the DNS says at present. */
  private final Map<String, InetSocketAddress> answers = new ConcurrentHashMap<>();

  private List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
    InetSocketAddress found = answers.get(host);
    if (found == null) {
      throw new UnknownHostException(host);
    }
    return List.of(found);
  }

  private RingNode start(ServerLoops loops, String principal, Endpoint at, List<Endpoint> others)
      throws IOException {
    RingNode node =
        RingNode.member(
            loops,
            MemberCredentials.open("ring", principal),
            Gate.everybody(),
            this::resolve,
            LinkLimits.standard(),
            PROTOCOL,
            RingMutex.HONEST,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            at,
            others,
            () -> {});
    answers.put(at.host(), node.address());
    return node;
  }

  @Test
  void aClientAndAMemberFollowThoseWhoHaveMoved() throws Exception {
    try (ServerLoops loops = ServerLoops.start(1)) {
      RingNode first = start(loops, "m0", M0, List.of());
      var unused = first.whenReady().join();
      try (RingNode client =
              RingNode.client(
                  null,
                  this::resolve,
                  ClientCredentials.open("ring", "client"),
                  LinkLimits.standard(),
                  PROTOCOL,
                  List.of(M0));
          LockClient locks = LockClient.at(client).build()) {
        try (Lease lease = locks.lock("work").acquire()) {
          assertThat(lease.isHeld()).isTrue();
        }
        first.close();
        // It comes back elsewhere, as the founder of a ring; then another joins by its name.
        try (RingNode moved = start(loops, "m0", M0, List.of());
            RingNode second = start(loops, "m1", M1, List.of(M0))) {
          var unusedToo = moved.whenReady().join();
          assertThat(second.whenReady().join()).isEqualTo(second.id());
          try (Lease lease = locks.lock("work").acquire()) {
            assertThat(lease.isHeld()).isTrue();
          }
        }
      }
    }
  }
}
