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

  /** A request that went to all asked servers. */
  private record Request(long number, Term term) {}

  final long time;
  final Optional<Seal> seal;
  final ServerSet asked;
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

  Attempt(long time, Optional<Seal> seal, ServerSet asked, Thresholds thresholds) {
    this.time = time;
    this.seal = seal;
    this.asked = asked;
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
    return count(Word.STALE) > thresholds.toleratedDenials();
  }

  /** Whether so many deny that the rest is not enough, as things stand. */
  boolean isOutvoted() {
    int denials = count(Word.LOCKED) + count(Word.STALE) + count(Word.REFUSED);
    return denials > thresholds.toleratedDenials();
  }

  /**
   * Whether those that grant it, or will in their turn, are enough.
   *
   * @param waitNanos for so long a server lets one wait that it does not hear of
   */
  boolean standsInLine(long waitNanos, Moment now) {
    int inLine = 0;
    for (int server = 0; server < words.length; server++) {
      boolean waits =
          words[server] == Word.LOCKED && now.nanos() - deniedNanos[server] <= waitNanos;
      inLine += waits || words[server] == Word.FREE ? 1 : 0;
    }
    return inLine >= thresholds.consents();
  }

  /**
   * The term that the grants give, or null if they are too few: each server's grant lasts as long
   * as the request says that it names, and the lease as long as enough of them do.
   */
  @Nullable Term granted(Moment now) {
    List<Term> terms = new ArrayList<>(grantedTerms.length);
    for (Term term : grantedTerms) {
      if (term != null) {
        terms.add(term);
      }
    }
    return Term.ofEnough(terms, thresholds.consents(), now);
  }
}
