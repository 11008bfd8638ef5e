package io.testudo.mutex.backoff;

import io.testudo.crypto.Seal;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.Access;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.DrawnQuorums;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
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

  /** One of those that were asked first is late. */
  private record Late(long time) implements TimerKey {}

  private final Thresholds thresholds;
  private final ServerSet everyone;

  /** Draws whom to ask first; null if all are asked at once, or never more than one quorum. */
  private final @Nullable DrawnQuorums draws;

  private final LockTiming timing;
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
      Access access,
      LockTiming timing,
      Pace pace,
      Agenda agenda,
      RankClock clock,
      RankSeals seals,
      long session,
      Entropy entropy) {
    super(client);
    this.thresholds = thresholds;
    this.everyone = ServerSet.firstN(thresholds.servers());
    this.draws =
        access == Access.QUORUM && !thresholds.need().asksOneQuorum()
            ? new DrawnQuorums(thresholds.quorums())
            : null;
    this.timing = timing;
    this.pace = pace;
    this.agenda = agenda;
    this.clock = clock;
    this.seals = seals;
    this.session = session;
    this.entropy = entropy;
    onTimer(Late.class, this::onLate);
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
    ServerSet asked = askedFirst(acquisition);
    ServerSet reachable = thresholds.need().asksOneQuorum() ? asked : everyone;
    acquisition.attempt = new Attempt(time, seal, asked, reachable, thresholds);
    byTime.put(time, acquisition);
    ask(acquisition);
  }

  /** Who was denied once, or waited in vain, asks all: others are at work. */
  private ServerSet askedFirst(Acquisition acquisition) {
    if (thresholds.need().asksOneQuorum()) {
      return thresholds.quorums().choose(acquisition.silent, entropy::nextInt);
    }
    return draws == null || acquisition.attempt != null
        ? everyone
        : draws.of(acquisition.lock(), now().nanos());
  }

  /** Asks again for what was not granted in a while, and keeps what was; all, by now. */
  void refresh(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
    attempt.asked = draws == null ? attempt.asked : everyone;
    ask(acquisition);
  }

  private void ask(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
    long unusedNumber = attempt.request(now(), pace.leaseNanos(acquisition.holdNanos));
    sendLast(acquisition, attempt.asked);
    awaitOthers(attempt);
  }

  /** Sends the last request. To whom it goes later, it still counts from when it was made. */
  private void sendLast(Acquisition acquisition, ServerSet servers) {
    Attempt attempt = acquisition.attempt();
    String lock = acquisition.lock();
    int contender = acquisition.call.contender();
    long leaseNanos = attempt.lastLeaseNanos();
    long number = attempt.lastNumber();
    sendAll(
        servers,
        acquisition.call.isHeld()
            ? new Renew(lock, contender, attempt.time, leaseNanos, number)
            : new Try(
                lock,
                contender,
                attempt.time,
                attempt.seal,
                leaseNanos,
                number,
                agenda.joins(acquisition)));
  }

  /** If only a quorum was asked, the others are asked as soon as one of it is late. */
  private void awaitOthers(Attempt attempt) {
    if (draws != null && !attempt.asked.equals(everyone)) {
      attempt.awaitsOthers = true;
      setTimer(new Late(attempt.time), pace.lateNanos(attempt.asked));
    }
  }

  /** One that waits is granted at last, and the others of its quorum are about to follow. */
  void awaitOthersAgain(Attempt attempt) {
    if (!attempt.awaitsOthers) {
      awaitOthers(attempt);
    }
  }

  private void onLate(Late late) {
    Acquisition acquisition = byTime.get(late.time());
    if (acquisition == null) {
      return;
    }
    Attempt attempt = acquisition.attempt();
    attempt.awaitsOthers = false;
    boolean isHeld = acquisition.call.isHeld();
    if (isHeld ? attempt.isGranted() : waitsForAnother(acquisition)) {
      return; // Who waits for somebody else to leave gains nothing from servers it did not ask.
    }
    if (draws != null && !attempt.asked.equals(everyone)) {
      ServerSet silent = isHeld ? attempt.notGranting() : attempt.saying(Attempt.Word.NONE);
      draws.late(silent, now().nanos());
    }
    widen(acquisition);
  }

  private boolean waitsForAnother(Acquisition acquisition) {
    return agenda.joins(acquisition)
        && acquisition.attempt().waitsForAnother(timing.waiterExpiryNanos(), now());
  }

  /** Asks those, too, that were not asked so far. */
  void widen(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
    ServerSet others = everyone.minus(attempt.asked);
    if (draws != null && !others.isEmpty()) {
      attempt.asked = everyone;
      sendLast(acquisition, others);
    }
  }

  /** The grants are enough: what servers said in time, or against them, is remembered. */
  void entered(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
    cancelTimer(new Late(attempt.time));
    if (draws != null && attempt.lastNumber() == 1) {
      if (!attempt.asked.equals(everyone)) {
        draws.inTime(attempt.asked, now().nanos());
      }
      // Of one that contends, too; then it is wrong, and does not matter for long.
      draws.late(attempt.denying(), now().nanos());
    }
  }

  /** Asks those that were asked before for more time. */
  Term prolong(Acquisition acquisition, long holdNanos) {
    Attempt attempt = acquisition.attempt();
    long leaseNanos = pace.leaseNanos(holdNanos);
    long unusedNumber = attempt.request(now(), leaseNanos);
    sendLast(acquisition, attempt.asked);
    awaitOthers(attempt);
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
    cancelTimer(new Late(attempt.time));
    ended.put(attempt.time, attempt);
    sendAll(
        attempt.asked, new Release(acquisition.lock(), acquisition.call.contender(), attempt.time));
  }

  /** What comes now for the attempt comes too late. */
  void forget(Acquisition acquisition) {
    byTime.remove(acquisition.attempt().time);
  }
}
