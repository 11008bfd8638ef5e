package io.testudo.mutex.sim;

import io.testudo.crypto.MalformedSealException;
import io.testudo.crypto.Seal;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.GiveBack;
import io.testudo.mutex.backoff.LockRequest;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Refused;
import io.testudo.mutex.backoff.Stale;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.sim.SeenRequests.Seen;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.sim.liar.Forger;
import io.testudo.quorum.sim.liar.LiarDesk;
import io.testudo.quorum.sim.liar.LieKind;
import io.testudo.quorum.sim.liar.Occasion;
import io.testudo.quorum.sim.liar.Utterance;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a liar can say of a lock: free, locked, stale or refused, to whom it likes. */
public final class BackoffForger implements Forger {
  private static final long MILLI = 1_000_000L;
  private static final long TOPIC_DENIAL = 1;
  private static final long TOPIC_STARVING = 2;
  private static final long FAR_MILLIS = 1L << 40;
  private static final int FORGED_SEAL_BYTES = 41;

  /** How many contenders a liar makes happy at once. */
  private static final int GRANTED_AT_ONCE = 3;

  private final LockTiming timing;

  public BackoffForger(LockTiming timing) {
    this.timing = timing;
  }

  @Override
  public List<Utterance> forge(LieKind kind, Occasion occasion, LiarDesk desk) {
    SeenRequests seen = desk.shared(SeenRequests.class, SeenRequests::new);
    if (!(occasion.cause() instanceof Input.Received<ClientId> received
        && received.message() instanceof LockRequest request)) {
      return isAboutGrants(kind) ? called(occasion, seen, desk) : occasion.meant();
    }
    ClientId from = received.from();
    seen.note(from, request);
    if (request instanceof GiveBack) {
      // Clients answer grants to the dead by giving back. One lie for each would never end.
      boolean calls = isAboutGrants(kind) && desk.entropy().chance(0.2);
      return calls ? called(occasion, seen, desk) : occasion.meant();
    }
    return switch (kind) {
      case ALWAYS_FREE -> freeToAll(from, request, seen, desk);
      case ALWAYS_LOCKED -> answering(from, denial(request, occasion.now(), desk));
      case WILD_NUMBER -> answering(from, wild(request, occasion.now(), seen, desk));
      case INVENT -> answering(from, invented(request, occasion.now(), desk));
      case EARLY_COMMIT -> tooEarly(occasion, request, seen, desk);
      case WRONG_ID -> anothers(from, request, seen, desk);
      case STARVE ->
          SeenRequests.isVictim(from, desk)
              ? answering(from, overtaken(request, occasion.now(), desk))
              : occasion.meant();
      default -> occasion.meant();
    };
  }

  private static boolean isAboutGrants(LieKind kind) {
    return kind == LieKind.ALWAYS_FREE || kind == LieKind.EARLY_COMMIT;
  }

  /** Some contender is called, whether it is its turn or not. */
  private static List<Utterance> called(Occasion occasion, SeenRequests seen, LiarDesk desk) {
    List<Utterance> said = new ArrayList<>(occasion.meant());
    if (!seen.isEmpty()) {
      said.add(granting(seen.any(desk.entropy())));
    }
    return said;
  }

  private static Utterance granting(Seen seen) {
    return new Utterance(seen.client(), free(seen.request(), seen.number()), 0);
  }

  private static Free free(LockRequest request, long number) {
    return new Free(request.lock(), request.contender(), request.time(), number);
  }

  private static List<Utterance> answering(ClientId from, Message answer) {
    return List.of(new Utterance(from, answer, 0));
  }

  private static List<Utterance> freeToAll(
      ClientId from, LockRequest request, SeenRequests seen, LiarDesk desk) {
    List<Utterance> said = new ArrayList<>();
    said.add(new Utterance(from, free(request, SeenRequests.number(request)), 0));
    if (desk.entropy().chance(0.5)) {
      seen.of(request.lock()).stream()
          .limit(GRANTED_AT_ONCE)
          .forEach(other -> said.add(granting(other)));
    }
    return said;
  }

  /** Those who wait are called at once. */
  private static List<Utterance> tooEarly(
      Occasion occasion, LockRequest request, SeenRequests seen, LiarDesk desk) {
    List<Utterance> said = new ArrayList<>(occasion.meant());
    for (Seen other : seen.of(request.lock())) {
      if (other.request() instanceof Try && desk.entropy().chance(0.5)) {
        said.add(granting(other).later(desk.entropy().nextLong(50 * MILLI)));
      }
    }
    return said;
  }

  private static List<Utterance> anothers(
      ClientId from, LockRequest request, SeenRequests seen, LiarDesk desk) {
    Seen other = seen.any(desk.entropy());
    LockRequest theirs = other.request();
    Message answer =
        switch (desk.entropy().nextInt(3)) {
          case 0 -> free(theirs, other.number());
          case 1 ->
              new Free(
                  request.lock(), theirs.contender(), request.time(), Math.max(1, other.number()));
          default -> new Locked(theirs.time(), other.number(), 0, SealedRank.NONE);
        };
    return answering(from, answer);
  }

  private static Message denial(LockRequest request, Moment now, LiarDesk desk) {
    long number = SeenRequests.number(request);
    SealedRank ghost =
        new SealedRank(
            RankClock.atWall(now.wallMillis()), desk.entropy().nextLong(), Optional.empty());
    return switch ((int) desk.plotted(TOPIC_DENIAL, 4)) {
      case 0 -> new Locked(request.time(), number, Long.MAX_VALUE, ghost, true);
      case 1 -> new Refused(request.time(), RefusalReason.LEASE_TOO_LONG, 1);
      case 2 -> new Refused(request.time(), RefusalReason.TOO_MANY_LOCKS, 0);
      default -> new Locked(request.time(), number, desk.entropy().nextLong(1_000 * MILLI), ghost);
    };
  }

  private Message wild(LockRequest request, Moment now, SeenRequests seen, LiarDesk desk) {
    Entropy entropy = desk.entropy();
    long number = SeenRequests.number(request);
    return switch (entropy.nextInt(6)) {
      case 0 -> free(request, Long.MAX_VALUE);
      case 1 -> free(request, Math.max(1, number + 1 + entropy.nextLong(3)));
      case 2 -> free(request, 1);
      case 3 -> new Locked(request.time(), entropy.nextLong() >>> 1, 0, wildRank(now, seen, desk));
      case 4 -> new Locked(request.time(), number, 0, wildRank(now, seen, desk));
      default -> new Stale(request.time(), number, wildRank(now, seen, desk));
    };
  }

  private SealedRank wildRank(Moment now, SeenRequests seen, LiarDesk desk) {
    Entropy entropy = desk.entropy();
    long far = RankClock.atWall(now.wallMillis() + entropy.nextLong(FAR_MILLIS));
    LockRequest other = seen.any(entropy).request();
    Optional<Seal> replayed = other instanceof Try asked ? asked.seal() : Optional.empty();
    return switch (entropy.nextInt(5)) {
      case 0 -> SealedRank.unsealed(RankClock.MAX_TIME);
      case 1 -> SealedRank.unsealed(far);
      case 2 -> new SealedRank(far, entropy.nextLong(), forgedSeal(entropy));
      case 3 -> new SealedRank(far, entropy.nextLong(), replayed);
      default ->
          SealedRank.unsealed(RankClock.atWall(now.wallMillis() + timing.maxSkewMillis() / 2));
    };
  }

  private static Optional<Seal> forgedSeal(Entropy entropy) {
    byte[] bytes = new byte[FORGED_SEAL_BYTES];
    for (int i = 1; i < bytes.length; i++) {
      bytes[i] = (byte) entropy.nextLong();
    }
    bytes[0] = 1;
    try {
      return Optional.of(Seal.decode(bytes));
    } catch (MalformedSealException e) {
      throw new IllegalStateException("a forged seal is well-formed", e);
    }
  }

  /** Too low, always: by a rank that nobody can tell to be wrong, or by none. */
  private static Message overtaken(LockRequest request, Moment now, LiarDesk desk) {
    long ahead = Math.max(request.time(), RankClock.atWall(now.wallMillis()));
    SealedRank rank = desk.plotted(TOPIC_STARVING, 2) == 0 ? SealedRank.NONE : above(ahead, 1);
    return new Stale(request.time(), SeenRequests.number(request), rank);
  }

  /** A rank that may be true, so that every attempt seems to be too low. */
  private static Message invented(LockRequest request, Moment now, LiarDesk desk) {
    Entropy entropy = desk.entropy();
    long number = SeenRequests.number(request);
    return switch (entropy.nextInt(4)) {
      case 0 ->
          new Free(
              request.lock(),
              request.contender() + 1,
              Math.min(RankClock.MAX_TIME, request.time() + 1),
              1);
      case 1 -> new Stale(request.time(), number, SealedRank.NONE);
      default -> {
        long ahead = Math.max(request.time(), RankClock.atWall(now.wallMillis()));
        yield new Stale(request.time(), number, above(ahead, 1 + entropy.nextLong(20)));
      }
    };
  }

  /** Requests may have any time that there is. */
  private static SealedRank above(long time, long millis) {
    return SealedRank.unsealed(Math.min(RankClock.MAX_TIME, time + RankClock.ofMillis(millis)));
  }
}
