package io.testudo.node.advice;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.mutex.dht.ring.RingProtocols;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.ResetRisk;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.Locale;
import java.util.Optional;

/** Weighs the backends against each other. docs/which-backend.md says by which rules, and why. */
final class Advisor {
  private static final double MILLIS_PER_SECOND = 1e3;

  private final Deployment wish;
  private final ImmutableList<Candidate> candidates;

  Advisor(Deployment wish) {
    this.wish = wish;
    this.candidates =
        wish.isRing()
            ? RingProtocols.ALL.stream().map(this::ring).collect(ImmutableList.toImmutableList())
            : ImmutableList.of(
                backoff(BackoffProtocol.ALL_SERVERS), backoff(BackoffProtocol.QUORUMS), sigma());
  }

  /** All, whether they fit or not. */
  ImmutableList<Candidate> candidates() {
    return candidates;
  }

  /** The one to take, if there is any. */
  Optional<Candidate> choice() {
    if (wish.isRing()) {
      return candidates.stream().filter(Candidate::fits).findFirst();
    }
    Candidate allServers = candidates.get(0);
    Candidate sigma = candidates.get(2);
    if (sigma.fits() && (!allServers.fits() || isSigmaBetter(sigma))) {
      return Optional.of(sigma);
    }
    return candidates.stream().filter(Candidate::fits).findFirst();
  }

  /**
   * Both are as fast. Sigma leaves exclusion to chance where backoff does not; that servers come
   * and go must pay for it.
   */
  private boolean isSigmaBetter(Candidate sigma) {
    return wish.away() > 0 && sigma.risk() <= wish.acceptedRisk();
  }

  /** Why this one, in a sentence. */
  String reasonFor(Candidate choice) {
    if (wish.isRing()) {
      return String.format(
          Locale.ROOT,
          "more than %d servers make a ring, and it has fencing tokens; members that forget let two"
              + " in with probability %.1e in a hold%s",
          ServerId.MAX_SERVERS,
          choice.risk(),
          choice.risk() <= wish.acceptedRisk() ? "" : ", more than what is accepted");
    }
    Candidate sigma = candidates.get(2);
    if (choice.equals(sigma)) {
      return "servers come and go, and with Sigma one that comes back serves at once, without a"
          + " disk; that those who forget let two in is less likely than what is accepted";
    }
    if (!sigma.fits()) {
      return "it tolerates what is asked, and Sigma does not";
    }
    return wish.away() == 0
        ? "no server comes and goes, so Sigma gains nothing, and exclusion does not depend on"
            + " chance"
        : String.format(
            Locale.ROOT,
            "exclusion does not depend on chance: with Sigma, servers that forget would break it"
                + " with probability %.1e in a hold, more than the %.1e that are accepted",
            sigma.risk(),
            wish.acceptedRisk());
  }

  private Candidate backoff(Need need) {
    Thresholds thresholds;
    int least = leastServers(need);
    try {
      thresholds = need.thresholds(wish.servers(), wish.liars());
    } catch (QuorumConfigurationException e) {
      return misfit(BackoffProtocol.NAME, need, String.valueOf(e.getMessage()), least);
    }
    if (spare(thresholds) < wish.away()) {
      return misfit(BackoffProtocol.NAME, need, noneToSpare(thresholds), least);
    }
    String why =
        need.asksOneQuorum()
            ? "asks one quorum only: less load, but whoever is away counts as a liar"
            : "tolerates liars; a server that restarts keeps quiet until what it granted is over";
    Prediction prediction = Prediction.of(wish, thresholds);
    return new Candidate(BackoffProtocol.NAME, need, thresholds, prediction, why, least, 0);
  }

  private Candidate sigma() {
    boolean hardened = wish.liars() > 0;
    Need need = hardened ? SigmaProtocol.HARDENED : SigmaProtocol.CRASHES;
    int least = hardened ? leastServers(need) : need.leastServers(wish.away());
    Thresholds thresholds;
    try {
      thresholds = need.thresholds(wish.servers(), hardened ? wish.liars() : wish.away());
    } catch (QuorumConfigurationException e) {
      return misfit(SigmaProtocol.NAME, need, String.valueOf(e.getMessage()), least);
    }
    if (hardened && spare(thresholds) < wish.away()) {
      return misfit(SigmaProtocol.NAME, need, noneToSpare(thresholds), least);
    }
    Prediction prediction = Prediction.of(wish, thresholds);
    // From the first grant, through the hold, until the release has arrived.
    double ownedMillis = prediction.turnMillis() + wish.rttMillis();
    double forgets = Math.min(1, ownedMillis / MILLIS_PER_SECOND / wish.serverLifeSeconds());
    return new Candidate(
        SigmaProtocol.NAME,
        need,
        thresholds,
        prediction,
        "needs no disk, and a server that restarts serves at once",
        least,
        ResetRisk.amongGranters(thresholds, forgets));
  }

  /** Those without fencing are for people to choose who know that they need none. */
  private Candidate ring(RingProtocol protocol) {
    Need need = SigmaProtocol.CRASHES;
    if (wish.liars() > 0) {
      String why =
          protocol.backend().canTolerateLiars()
              ? "a ring has no b. With tls: " + protocol.liarsTolerated(/* certified= */ true)
              : "members of it may not lie";
      return misfit(protocol.name(), need, why, 0);
    }
    if (protocol.whyUnfenced().isPresent()) {
      return misfit(protocol.name(), need, "it has no fencing tokens", 0);
    }
    Thresholds thresholds =
        need.thresholds(
            protocol.replicas(),
            need.mostFaults(protocol.replicas(), protocol.votes()),
            protocol.votes());
    Prediction prediction = Prediction.of(wish, thresholds);
    double ownedMillis = prediction.turnMillis() + wish.rttMillis();
    // For each member that goes another comes, and that resets what it takes over, too.
    double forgets = Math.min(1, 2 * ownedMillis / MILLIS_PER_SECOND / wish.serverLifeSeconds());
    return new Candidate(
        protocol.name(),
        need,
        thresholds,
        prediction,
        "a ring, of which each lock uses %d members".formatted(protocol.replicas()),
        ServerId.MAX_SERVERS + 1,
        ResetRisk.amongGranters(thresholds, wish.servers(), forgets));
  }

  private static Candidate misfit(String backend, Need need, String why, int least) {
    return new Candidate(backend, need, null, null, why, least, 0);
  }

  private String noneToSpare(Thresholds thresholds) {
    return "of %d servers %d may be away beside those that lie, not %d"
        .formatted(wish.servers(), spare(thresholds), wish.away());
  }

  /** How many servers more than those that lie may be away while a quorum still answers. */
  private static int spare(Thresholds thresholds) {
    return thresholds.largestQuorum() - thresholds.quorum();
  }

  /** The least cluster in which enough can be spared; 0 if there is none. */
  private int leastServers(Need need) {
    for (int servers = need.leastServers(wish.liars());
        servers <= ServerId.MAX_SERVERS;
        servers++) {
      if (spare(need.thresholds(servers, wish.liars())) >= wish.away()) {
        return servers;
      }
    }
    return 0;
  }
}
