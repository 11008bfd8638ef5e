package io.testudo.mutex.dht.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.Lease;
import io.testudo.mutex.client.LockClient;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.sim.LyingVoter;
import io.testudo.mutex.dht.sim.LyingVoter.Lie;
import io.testudo.mutex.dht.zone.ZoneSettings;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rings on sockets with certificates, some of whose members lie when they vote. */
@Timeout(180)
class ZoneLiarsOverTlsTest {
  private static final Duration GUARD = Duration.ofSeconds(60);
  private static final int MEMBERS = 12;
  private static final int TURNS = 3;

  private static final RingProtocol PROTOCOL =
      RingProtocols.find("zone")
          .orElseThrow()
          .withTiming(
              LockTiming.standard()
                  .withRefresh(Duration.ofMillis(300))
                  .withMaxHold(Duration.ofSeconds(2)))
          .withOverlay(
              new OverlayTiming(
                  Duration.ofMillis(300).toNanos(), Duration.ofMillis(300).toNanos(), 4));

  /** What all liars of the ring do at present. */
  private static final class Plan implements LyingVoter.Plot {
    final Set<NodeId> liars = ConcurrentHashMap.newKeySet();
    volatile Lie lie = Lie.DOUBLE_VOTE;

    @Override
    public Lie lie() {
      return lie;
    }

    /** Liars share all space among themselves, whomever the client has heard. */
    @Override
    public NodeId unheardBelow(NodeId client, NodeId liar) {
      NodeId below = new TreeSet<>(liars).lower(liar);
      return below == null ? new TreeSet<>(liars).last() : below;
    }
  }

  private static Map<Integer, Double> shares() {
    TreeMap<NodeId, Integer> numbers = new TreeMap<>();
    for (int i = 0; i < MEMBERS; i++) {
      numbers.put(NodeNames.member(EmbeddedRing.principalOf(i)), i);
    }
    Map<Integer, Double> shares = new TreeMap<>();
    NodeId below = numbers.lastKey();
    for (Map.Entry<NodeId, Integer> one : numbers.entrySet()) {
      long size = one.getKey().bits() - below.bits();
      shares.put(one.getValue(), (double) (size >>> 1) * 0x1.0p-63);
      below = one.getKey();
    }
    return shares;
  }

  /** Those with the least shares, as many as have no more than this; the first is honest. */
  private static Set<Integer> withAtMost(double most) {
    Set<Integer> chosen = new HashSet<>();
    double sum = 0;
    for (Map.Entry<Integer, Double> one :
        shares().entrySet().stream()
            .filter(one -> one.getKey() > 0)
            .sorted(Map.Entry.comparingByValue())
            .toList()) {
      if (sum + one.getValue() <= most) {
        sum += one.getValue();
        chosen.add(one.getKey());
      }
    }
    return chosen;
  }

  private static EmbeddedRing ring(Set<Integer> liars, Plan plan) {
    EmbeddedRing ring = EmbeddedRing.start(0, PROTOCOL, RingKeys.tls(EmbeddedRing.NAME));
    for (int i = 0; i < MEMBERS; i++) {
      if (liars.contains(i)) {
        plan.liars.add(NodeNames.member(EmbeddedRing.principalOf(i)));
        int unused =
            ring.join(
                (protocol, proofs) ->
                    (part, overlay) ->
                        new LyingVoter(part, overlay, proofs, plan, Entropy.seeded(1)));
      } else {
        int unused = ring.join();
      }
    }
    return ring;
  }

  /** Who counts how many hold the lock at once. */
  private static final class Watch {
    private final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger overlaps = new AtomicInteger();

    void holdOnce(LockClient client) {
      try (Lease lease = client.lock("orders").tryAcquire(GUARD).orElseThrow()) {
        if (inside.incrementAndGet() > 1) {
          overlaps.incrementAndGet();
        }
        assertThat(lease.isHeld()).isTrue();
        inside.decrementAndGet();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static LockClient at(RingNode node) {
    return LockClient.at(node).closesConnections().build();
  }

  /** Both take it several times; each is a process that has just started, and knows nobody. */
  private static void contend(EmbeddedRing ring, Watch watch) {
    try (LockClient alice = at(ring.client("alice"));
        LockClient bob = at(ring.client("bob"))) {
      CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> turns(alice, watch)),
              CompletableFuture.runAsync(() -> turns(bob, watch)))
          .join();
    }
  }

  /** One holds the lock; another has just started, and knows nobody. */
  private static void assertNobodyElseGetsIn(EmbeddedRing ring) throws InterruptedException {
    try (LockClient alice = at(ring.client("alice"));
        LockClient bob = at(ring.client("bob"));
        Lease held = alice.lock("orders").tryAcquire(GUARD).orElseThrow()) {
      assertThat(bob.lock("orders").tryAcquire(Duration.ofSeconds(1))).isEmpty();
      assertThat(held.isHeld()).isTrue();
    }
  }

  private static void turns(LockClient client, Watch watch) {
    for (int i = 0; i < TURNS; i++) {
      watch.holdOnce(client);
    }
  }

  @Test
  void whileLiarsHaveNoMoreThanAQuarterTheLockHoldsAndProgresses() throws Exception {
    Set<Integer> liars = withAtMost(ZoneSettings.THREE_QUARTERS.dispensable());
    assertThat(liars).hasSizeGreaterThan(2);
    Plan plan = new Plan();
    Watch watch = new Watch();
    try (EmbeddedRing ring = ring(liars, plan)) {
      for (Lie lie : Lie.values()) {
        plan.lie = lie;
        contend(ring, watch);
        assertThat(watch.overlaps.get()).describedAs("%s", lie).isZero();
        assertNobodyElseGetsIn(ring);
      }
    }
  }

  @Test
  void liarsWithThreeQuartersLetTwoIn() throws Exception {
    Set<Integer> honest = withAtMost(ZoneSettings.THREE_QUARTERS.dispensable());
    Set<Integer> liars = new HashSet<>(shares().keySet());
    liars.removeAll(honest);
    try (EmbeddedRing ring = ring(liars, new Plan());
        LockClient alice = at(ring.client("alice"));
        LockClient bob = at(ring.client("bob"));
        Lease first = alice.lock("orders").tryAcquire(GUARD).orElseThrow();
        Lease second = bob.lock("orders").tryAcquire(GUARD).orElseThrow()) {
      assertThat(first.isHeld()).isTrue();
      assertThat(second.isHeld()).isTrue();
    }
  }

  @Test
  void noMemberVotesInTheNameOfOthers() throws Exception {
    List<RingNode> clients = new CopyOnWriteArrayList<>();
    AtomicLong forged = new AtomicLong();
    Plan plan = new Plan();
    try (EmbeddedRing ring = ring(Set.of(), plan)) {
      int number = MEMBERS;
      int joined =
          ring.join(
              (protocol, proofs) ->
                  (part, overlay) ->
                      new Impersonator(
                          part,
                          overlay,
                          proofs,
                          () -> ring.member(number),
                          Impersonator.among(clients),
                          forged));
      assertThat(joined).isEqualTo(number);
      RingNode first = ring.client("alice");
      RingNode second = ring.client("bob");
      clients.addAll(List.of(first, second));
      try (LockClient alice = at(first);
          LockClient bob = at(second);
          Lease held = alice.lock("orders").tryAcquire(GUARD).orElseThrow()) {
        assertThat(bob.lock("orders").tryAcquire(Duration.ofSeconds(1))).isEmpty();
        assertThat(held.isHeld()).isTrue();
      }
    }
    assertThat(forged.get()).isPositive();
  }
}
