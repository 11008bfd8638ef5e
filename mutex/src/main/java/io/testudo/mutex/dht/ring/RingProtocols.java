package io.testudo.mutex.dht.ring;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.protocol.LockTiming;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/** The lock protocols that rings can be configured with, a line each. */
public final class RingProtocols {
  private static final String NOT_FENCED =
      "its lease has a number that names it within its process, and nothing makes that of the next"
          + " holder larger; use sigma-dht where the resource must refuse a holder that comes too"
          + " late";

  /**
   * More patient than in simulation: a process that stands still for two seconds must not lose its
   * keys, and with them its votes.
   */
  private static final OverlayTiming PATIENT =
      new OverlayTiming(Duration.ofMillis(600).toNanos(), Duration.ofSeconds(1).toNanos(), 4);

  /** The usual one first. */
  public static final ImmutableList<RingProtocol> ALL =
      ImmutableList.of(
          of(DhtBackends.SIGMA_DHT, "Sigma on logical replicas, found by lookups", ""),
          of(DhtBackends.E2E, "the queue is at the holder, and travels with the lock", NOT_FENCED),
          of(DhtBackends.NON_E2E, "parts of the queue are on the way to a replica", NOT_FENCED),
          of(DhtBackends.ZONE, "all members vote, with their shares of the space", NOT_FENCED));

  private RingProtocols() {}

  private static RingProtocol of(DhtBackends backend, String description, String whyUnfenced) {
    return new RingProtocol(
        backend,
        description,
        whyUnfenced.isEmpty() ? Optional.empty() : Optional.of(whyUnfenced),
        Routings.PREFIX,
        RingProtocol.DEFAULT_REPLICAS,
        RingProtocol.DEFAULT_VOTES,
        LockTiming.standard(),
        PATIENT);
  }

  /** The one of this name, with the usual times. */
  public static Optional<RingProtocol> find(String name) {
    return ALL.stream().filter(protocol -> protocol.name().equals(name)).findFirst();
  }

  /** All names, for people. */
  public static String names() {
    return ALL.stream().map(RingProtocol::name).collect(Collectors.joining(", "));
  }
}
