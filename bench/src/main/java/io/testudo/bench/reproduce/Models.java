package io.testudo.bench.reproduce;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;

/** The papers' setting: 32 servers of which 24 must grant. */
final class Models {
  static final Thresholds THRESHOLDS = thresholds(Claims.SERVERS, Claims.GRANTS);

  /**
   * Leases and the entries of those who wait outlast every run, since the papers have neither: what
   * a waiter sends is the informed backoff alone.
   */
  private static final Duration REFRESH = Duration.ofDays(1);

  private static final Duration MAX_HOLD = Duration.ofSeconds(60);
  private static final long MAX_SKEW_MILLIS = 10_000;

  private final long seed;

  Models(long seed) {
    this.seed = seed;
  }

  /** Sigma with so many grants, bearing as much as these leave. */
  static Thresholds thresholds(int servers, int grants) {
    int borne = Math.min(servers - grants, SigmaProtocol.CRASHES.mostFaults(servers));
    return SigmaProtocol.CRASHES.thresholds(servers, borne, grants);
  }

  Runs sigma(Latency latency, long number) {
    return runs(latency, number, ModelProtocol.sigma(THRESHOLDS, timingOfPapers(latency)));
  }

  /** As a cluster is configured by default, but for the delays. */
  Runs deployedSigma(Latency latency, long number) {
    LockTiming timing = LockTiming.standard().withDelay(Duration.ofNanos(latency.highNanos()));
    return runs(latency, number, ModelProtocol.sigma(THRESHOLDS, timing));
  }

  Runs strawman(Latency latency, long number) {
    return runs(latency, number, ModelProtocol.strawman(THRESHOLDS, timingOfPapers(latency)));
  }

  private static LockTiming timingOfPapers(Latency latency) {
    return new LockTiming(
        latency.highNanos(), 0, REFRESH.toNanos(), MAX_HOLD.toNanos(), MAX_SKEW_MILLIS);
  }

  private Runs runs(Latency latency, long number, ModelProtocol protocol) {
    Entropy entropy = Entropy.seeded(seed).fork(number);
    long ofWorld = entropy.nextLong();
    return new Runs(
        () -> new ModelCluster(protocol, Claims.SERVERS, latency, Entropy.seeded(ofWorld)),
        entropy);
  }
}
