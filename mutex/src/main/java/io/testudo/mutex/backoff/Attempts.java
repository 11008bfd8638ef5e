package io.testudo.mutex.backoff;

import io.testudo.crypto.Seal;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of the client that asks servers: it begins attempts at new ranks, repeats and prolongs
 * their requests, and withdraws them.
 */
final class Attempts extends Part<ServerId> {
  private static final int MAX_ENDED = 256;

  private final Thresholds thresholds;
  private final ServerSet everyone;
  private final Pace pace;
  private final Agenda agenda;
  private final RankClock clock;
  private final RankSeals seals;
  private final long session;
  private final Entropy entropy;

  /** Those with a live attempt or lease, by the time of its rank. */
  private final Map<Long, Acquisition> byTime = new HashMap<>();

  /** Those that ended last: answers that come too late show how long answers take. */
  private final Map<Long, Attempt> ended = BoundedMap.byAge(MAX_ENDED);

  Attempts(
      Part<ServerId> client,
      Thresholds thresholds,
      Pace pace,
      Agenda agenda,
      RankClock clock,
      RankSeals seals,
      long session,
      Entropy entropy) {
    super(client);
    this.thresholds = thresholds;
    this.everyone = ServerSet.firstN(thresholds.servers());
    this.pace = pace;
    this.agenda = agenda;
    this.clock = clock;
    this.seals = seals;
    this.session = session;
    this.entropy = entropy;
  }

  /** Whose live attempt or lease has a rank of this time, if any. */
  @Nullable Acquisition ofTime(long time) {
    return byTime.get(time);
  }

  /** Starts an attempt at a new rank. */
  void begin(Acquisition acquisition) {
    long time = clock.next(acquisition.lock(), now(), entropy);
    while (byTime.containsKey(time)) { // Of another lock, by chance.
      time = clock.next(acquisition.lock(), now(), entropy);
    }
    Optional<Seal> seal = seals.seal(acquisition.lock(), time, session);
    ServerSet asked =
        thresholds.asked() == thresholds.servers()
            ? everyone
            : thresholds.quorums().choose(acquisition.silent, entropy::nextInt);
    acquisition.attempt = new Attempt(time, seal, asked, thresholds);
    byTime.put(time, acquisition);
    ask(acquisition, asked);
  }

  void ask(Acquisition acquisition, ServerSet servers) {
    Attempt attempt = acquisition.attempt();
    long leaseNanos = pace.leaseNanos(acquisition.holdNanos);
    long number = attempt.request(now(), leaseNanos);
    sendAll(
        servers,
        new Try(
            acquisition.lock(),
            acquisition.call.contender(),
            attempt.time,
            attempt.seal,
            leaseNanos,
            number,
            agenda.joins(acquisition)));
  }

  /** Asks those that were asked before for more time. */
  Term prolong(Acquisition acquisition, long holdNanos) {
    Attempt attempt = acquisition.attempt();
    long leaseNanos = pace.leaseNanos(holdNanos);
    long number = attempt.request(now(), leaseNanos);
    sendAll(
        attempt.asked,
        new Renew(
            acquisition.lock(), acquisition.call.contender(), attempt.time, leaseNanos, number));
    return new Term(now(), leaseNanos);
  }

  /** A server has answered a request, be it in time or not. */
  void sawAnswer(ServerId from, long time, long number) {
    Acquisition acquisition = byTime.get(time);
    Attempt attempt = acquisition == null ? ended.get(time) : acquisition.attempt();
    Term requested = attempt == null ? null : attempt.requested(number);
    if (requested != null) {
      pace.sawAnswer(from, now().nanos() - requested.start().nanos());
    }
  }

  /** Withdraws the attempt everywhere: whoever granted it, or will, serves the next. */
  void end(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
    ServerSet answered = attempt.answered();
    acquisition.heardOf = acquisition.heardOf.union(answered);
    if (now().nanos() - attempt.lastSentNanos() >= pace.windowNanos()) {
      acquisition.silent = attempt.asked.minus(answered);
    }
    forget(acquisition);
    ended.put(attempt.time, attempt);
    sendAll(
        attempt.asked, new Release(acquisition.lock(), acquisition.call.contender(), attempt.time));
  }

  /** What comes now for the attempt comes too late. */
  void forget(Acquisition acquisition) {
    byTime.remove(acquisition.attempt().time);
  }
}
