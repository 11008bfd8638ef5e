package io.testudo.mutex.backoff;

import io.testudo.crypto.Seal;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one rank: what was asked of whom and when, and what each server answered. It goes
 * on as a lease when enough have granted it. A request counts for a lease from its own send time,
 * and a grant for the newest request that its server names.
 */
final class Attempt {
  /** Requests older than so many others are useless: their leases are over. */
  private static final int MAX_REQUESTS = 64;

  /** The last word of a server. A grant stays: what overtakes it was said before. */
  enum Word {
    NONE,
    FREE,
    LOCKED,
    STALE,
    REFUSED
  }

  /** A request, and since when it counts: who is asked later may grant it for longer than that. */
  private record Request(long number, Term term) {}

  /** What a server has granted. */
  private record Grant(ServerId server, Term term) {}

  final long time;
  final Optional<Seal> seal;

  /** Whether it is noticed when one of those that were asked is late. */
  boolean awaitsOthers;

  /** Those that were asked so far. */
  ServerSet asked;

  /** Those that are asked sooner or later, if need be. */
  private final ServerSet reachable;

  private final Thresholds thresholds;
  private final Deque<Request> requests = new ArrayDeque<>();
  private final Word[] words;

  /** When each server last denied it; meaningless unless it did. */
  private final long[] deniedNanos;

  /** For each server, the term of that of its grants which ends last. */
  private final @Nullable Term[] grantedTerms;

  /** When the first grant came; meaningless before. */
  private long firstFreeNanos;

  private long firstSentNanos;
  private final @Nullable RefusalReason[] refusals;

  /**
   * An attempt that begins.
   *
   * @param asked those that are asked first
   * @param reachable those that are asked if these are not enough
   */
  Attempt(
      long time, Optional<Seal> seal, ServerSet asked, ServerSet reachable, Thresholds thresholds) {
    this.time = time;
    this.seal = seal;
    this.asked = asked;
    this.reachable = reachable;
    this.thresholds = thresholds;
    this.words = new Word[thresholds.servers()];
    this.deniedNanos = new long[thresholds.servers()];
    Arrays.fill(words, Word.NONE);
    this.grantedTerms = new @Nullable Term[thresholds.servers()];
    this.refusals = new @Nullable RefusalReason[thresholds.servers()];
  }

  /** Notes that a request goes out now, and numbers it. */
  long request(Moment now, long leaseNanos) {
    if (requests.isEmpty()) {
      firstSentNanos = now.nanos();
    }
    long number = requests.isEmpty() ? 1 : requests.getLast().number() + 1;
    if (requests.size() == MAX_REQUESTS) {
      requests.removeFirst();
    }
    requests.addLast(new Request(number, new Term(now, leaseNanos)));
    return number;
  }

  long lastNumber() {
    return requests.getLast().number();
  }

  long lastSentNanos() {
    return requests.getLast().term().start().nanos();
  }

  long firstSentNanos() {
    return firstSentNanos;
  }

  /** Of the last request. */
  long lastLeaseNanos() {
    return requests.getLast().term().lengthNanos();
  }

  /** Those that were asked and have not granted the last request. */
  ServerSet notGranting() {
    Term last = requests.getLast().term();
    ServerSet others = asked;
    for (ServerId server : asked) {
      others = last.equals(grantedTerms[server.index()]) ? others.without(server) : others;
    }
    return others;
  }

  /** Whether those that grant the last request are enough. */
  boolean isGranted() {
    return thresholds.isConsent(asked.minus(notGranting()));
  }

  /** The term of a request, or null if it is forgotten or was never made. */
  @Nullable Term requested(long number) {
    Iterator<Request> newestFirst = requests.descendingIterator();
    while (newestFirst.hasNext()) {
      Request request = newestFirst.next();
      if (request.number() == number) {
        return request.term();
      }
    }
    return null;
  }

  /** Counts a grant. */
  void free(ServerId from, long number, Moment now) {
    if (!hasFree()) {
      firstFreeNanos = now.nanos();
    }
    words[from.index()] = Word.FREE;
    Term term = requested(number);
    Term before = grantedTerms[from.index()];
    if (term != null && (before == null || term.remainingNanos(now) > before.remainingNanos(now))) {
      grantedTerms[from.index()] = term;
    }
  }

  /** Counts a denial, unless the server has granted the attempt. */
  void deny(ServerId from, Word word, Moment now) {
    deniedNanos[from.index()] = now.nanos();
    if (words[from.index()] != Word.FREE) {
      words[from.index()] = word;
    }
  }

  /** Counts a refusal, and says how many servers have given this reason. */
  int refuse(ServerId from, RefusalReason reason, Moment now) {
    deny(from, Word.REFUSED, now);
    refusals[from.index()] = reason;
    int same = 0;
    for (RefusalReason given : refusals) {
      same += given == reason ? 1 : 0;
    }
    return same;
  }

  Word wordOf(ServerId server) {
    return words[server.index()];
  }

  int count(Word word) {
    int count = 0;
    for (Word said : words) {
      count += said == word ? 1 : 0;
    }
    return count;
  }

  /** Servers whose last word this is. */
  ServerSet saying(Word word) {
    ServerSet saying = ServerSet.none();
    for (ServerId server : asked) {
      saying = words[server.index()] == word ? saying.with(server) : saying;
    }
    return saying;
  }

  /** Servers that answered, whatever they said. */
  ServerSet answered() {
    ServerSet answered = ServerSet.none();
    for (ServerId server : asked) {
      if (words[server.index()] != Word.NONE) {
        answered = answered.with(server);
      }
    }
    return answered;
  }

  boolean hasFree() {
    return count(Word.FREE) > 0;
  }

  long sinceFirstFreeNanos(Moment now) {
    return now.nanos() - firstFreeNanos;
  }

  /** Whether one of those that called the rank stale is correct. */
  boolean isStaleForSure() {
    return count(Word.STALE) >= thresholds.vouchers();
  }

  /** Whether the rank is stale at so many servers that the rest will never be enough. */
  boolean isPassed() {
    return !thresholds.isConsent(reachable.minus(saying(Word.STALE)));
  }

  /** Whether so many deny that the rest is not enough, as things stand. */
  boolean isOutvoted() {
    return !thresholds.isConsent(reachable.minus(denying()));
  }

  /** Those that do not grant it, as things stand. */
  ServerSet denying() {
    return saying(Word.LOCKED).union(saying(Word.STALE)).union(saying(Word.REFUSED));
  }

  /**
   * Whether all it was asked of let it wait, for somebody else: one of those that say so is
   * correct.
   */
  boolean waitsForAnother(long waitNanos, Moment now) {
    return count(Word.LOCKED) >= thresholds.vouchers() && standsInLine(waitNanos, now);
  }

  /**
   * Whether those that grant it, or will in their turn, are enough.
   *
   * @param waitNanos for so long a server lets one wait that it does not hear of
   */
  boolean standsInLine(long waitNanos, Moment now) {
    ServerSet inLine = saying(Word.FREE);
    for (ServerId server : saying(Word.LOCKED)) {
      boolean waits = now.nanos() - deniedNanos[server.index()] <= waitNanos;
      inLine = waits ? inLine.with(server) : inLine;
    }
    return thresholds.isConsent(inLine);
  }

  /**
   * The term that the grants give, or null if they are too few: each server's grant lasts as long
   * as the request says that it names, and the lease as long as enough of them do.
   */
  @Nullable Term granted(Moment now) {
    List<Grant> longestFirst = new ArrayList<>(grantedTerms.length);
    for (ServerId server : asked) {
      Term term = grantedTerms[server.index()];
      if (term != null) {
        longestFirst.add(new Grant(server, term));
      }
    }
    longestFirst.sort(
        Comparator.comparingLong((Grant grant) -> grant.term().remainingNanos(now)).reversed());
    ServerSet granting = ServerSet.none();
    for (Grant grant : longestFirst) {
      granting = granting.with(grant.server());
      if (thresholds.isConsent(granting)) {
        return grant.term();
      }
    }
    return null;
  }
}
