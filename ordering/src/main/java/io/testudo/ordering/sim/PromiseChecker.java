package io.testudo.ordering.sim;

import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Superseded;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.Violation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Correct servers keep their word: ranks, proposals and commits never fall while one lives, and
 * what it promised never falls at all.
 */
final class PromiseChecker {
  private final String object;
  private final Map<ServerId, ServerSighting> seen = new HashMap<>();
  private final Map<ServerId, Rank> promisedRanks = new HashMap<>();
  private final Map<ServerId, Long> promisedCommits = new HashMap<>();

  PromiseChecker(String object) {
    this.object = object;
  }

  /** It has lost its disk: what it promised is up to others. */
  void lost(ServerId server) {
    seen.remove(server);
    promisedRanks.remove(server);
    promisedCommits.remove(server);
  }

  /** A correct server has made a step. Gives how it was seen before. */
  @Nullable ServerSighting sees(ServerId server, ServerSighting now) {
    return seen.put(server, now);
  }

  /** What must hold after that. */
  void check(ServerId server, @Nullable ServerSighting before, ServerSighting now) {
    // What was not promised yet may be lost with a life, but only with a life.
    if (before != null && before.starts() == now.starts() && before.fellTo(now)) {
      throw Violation.safety(server + " fell from " + before + " to " + now);
    }
    Rank promised = promisedRanks.getOrDefault(server, Rank.NONE);
    if (promised.compareTo(now.rank()) > 0) {
      throw Violation.safety(server + " has promised " + promised + " and fell to " + now);
    }
    if (promisedCommits.getOrDefault(server, 0L) > now.committedVersion()) {
      throw Violation.safety(server + " has lost a commit that it promised, and is at " + now);
    }
  }

  /** A correct server says this. */
  void onServerSends(ServerId server, Message message) {
    if (message instanceof Superseded refusal && refusal.object().equals(object)) {
      promisedRanks.merge(server, refusal.rank(), PromiseChecker::higher);
    } else if (message instanceof Accepted accepted && accepted.object().equals(object)) {
      if (accepted.stage() == Accepted.Stage.COMMITTED) {
        promisedCommits.merge(server, accepted.version(), Math::max);
      } else {
        promisedRanks.merge(server, accepted.rank(), PromiseChecker::higher);
      }
    }
  }

  private static Rank higher(Rank one, Rank other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
