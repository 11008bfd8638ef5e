package io.testudo.node.advice;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.client.BackoffBackend;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.ResetRisk;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.Locale;
import java.util.Optional;

/** Weighs the backends against each other. docs/which-backend.md says by which rules, and why. */
final class Advisor {
  static final String SIGMA = "sigma";

  private static final double MILLIS_PER_SECOND = 1e3;

  private final Deployment wish;
  private final ImmutableList<Candidate> candidates;

  Advisor(Deployment wish) {
    this.wish = wish;
    this.candidates =
        ImmutableList.of(backoff(Need.LOCK_ALL_SERVERS), backoff(Need.LOCK_QUORUMS), sigma());
  }

  /** All, whether they fit or not. */
  ImmutableList<Candidate> candidates() {
    return candidates;
  }

  /** The one to take, if there is any. */
  Optional<Candidate> choice() {
    Candidate allServers = candidates.get(0);
    Candidate sigma = candidates.get(2);
    if (sigma.fits() && (!allServers.fits() || isSigmaBetter(allServers, sigma))) {
      return Optional.of(sigma);
    }
    return candidates.stream().filter(Candidate::fits).findFirst();
  }

  /** Sigma leaves exclusion to chance where backoff does not; fewer messages must pay for that. */
  private boolean isSigmaBetter(Candidate backoff, Candidate sigma) {
    return sigma.risk() <= wish.acceptedRisk()
        && sigma.predicted().messagesPerTurn() < backoff.predicted().messagesPerTurn();
  }

  /** Why this one, in a sentence. */
  String reasonFor(Candidate choice) {
    Candidate sigma = candidates.get(2);
    if (choice == sigma) {
      return candidates.get(0).fits()
          ? "no server lies, and with Sigma the messages of a turn do not grow with those who wait"
          : "no server lies, and backoff does not fit";
    }
    if (wish.liars() > 0) {
      return "servers may lie, and only backoff bears that";
    }
    if (!sigma.fits()) {
      return "it bears what is asked with fewer servers than Sigma";
    }
    return sigma.risk() > wish.acceptedRisk()
        ? String.format(
            Locale.ROOT,
            "exclusion does not depend on chance: with Sigma, servers that forget would break it"
                + " with probability %.1e in a hold, more than the %.1e that are accepted",
            sigma.risk(),
            wish.acceptedRisk())
        : "with so few who wait Sigma saves nothing, and here exclusion does not depend on chance";
  }

  private Candidate backoff(Need need) {
    Thresholds thresholds;
    int least = leastServers(need);
    try {
      thresholds = need.thresholds(wish.servers(), wish.liars());
    } catch (QuorumConfigurationException e) {
      return misfit(BackoffBackend.NAME, need, String.valueOf(e.getMessage()), least);
    }
    if (spare(thresholds) < wish.away()) {
      return misfit(
          BackoffBackend.NAME,
          need,
          "of %d servers %d may be away beside those that lie, not %d"
              .formatted(wish.servers(), spare(thresholds), wish.away()),
          least);
    }
    String why =
        need == Need.LOCK_QUORUMS
            ? "asks one quorum only: less load, but whoever is away counts as a liar"
            : "bears liars; a server that restarts keeps quiet until what it granted is over";
    Prediction prediction = Prediction.ofBackoff(wish, thresholds);
    return new Candidate(BackoffBackend.NAME, need, thresholds, prediction, why, least, 0);
  }

  private Candidate sigma() {
    Need need = Need.SIGMA;
    int least = need.leastServers(wish.away());
    if (wish.liars() > 0) {
      return misfit(SIGMA, need, "it bears no server that lies", 0);
    }
    Thresholds thresholds;
    try {
      thresholds = need.thresholds(wish.servers(), wish.away());
    } catch (QuorumConfigurationException e) {
      return misfit(SIGMA, need, String.valueOf(e.getMessage()), least);
    }
    Prediction prediction = Prediction.ofSigma(wish, thresholds);
    // From the first grant, through the hold, until the release has arrived.
    double ownedMillis = prediction.turnMillis() + wish.rttMillis();
    double forgets = Math.min(1, ownedMillis / MILLIS_PER_SECOND / wish.serverLifeSeconds());
    return new Candidate(
        SIGMA,
        need,
        thresholds,
        prediction,
        "needs no disk, and a server that restarts serves at once",
        least,
        ResetRisk.amongGranters(thresholds, forgets));
  }

  private static Candidate misfit(String backend, Need need, String why, int least) {
    return new Candidate(backend, need, null, null, why, least, 0);
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
