package io.testudo.mutex.sim;

import io.testudo.crypto.MalformedSealException;
import io.testudo.crypto.Seal;
import io.testudo.mutex.backoff.BackoffRequest;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Refused;
import io.testudo.mutex.backoff.Release;
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
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.sim.byzantine.HonestStep;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
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
  public List<OutgoingMessage> forge(ByzantineKind kind, HonestStep step, StrategyContext context) {
    SeenRequests seen = context.shared(SeenRequests.class, SeenRequests::new);
    if (!(step.cause() instanceof Input.Received<ClientId> received
        && received.message() instanceof BackoffRequest request)) {
      return isAboutGrants(kind) ? called(step, seen, context) : step.meant();
    }
    ClientId from = received.from();
    seen.note(from, request);
    if (request instanceof Release) {
      // Clients answer grants to the dead by giving back. One lie for each would never end.
      boolean calls = isAboutGrants(kind) && context.entropy().chance(0.2);
      return calls ? called(step, seen, context) : step.meant();
    }
    return switch (kind) {
      case ALWAYS_FREE -> freeToAll(from, request, seen, context);
      case ALWAYS_LOCKED -> answering(from, denial(request, step.now(), context));
      case WILD_NUMBER -> answering(from, wild(request, step.now(), seen, context));
      case INVENT -> answering(from, invented(request, step.now(), context));
      case EARLY_COMMIT -> tooEarly(step, request, seen, context);
      case WRONG_ID -> anothers(from, request, seen, context);
      case STARVE ->
          SeenRequests.isVictim(from, context)
              ? answering(from, overtaken(request, step.now(), context))
              : step.meant();
      default -> step.meant();
    };
  }

  private static boolean isAboutGrants(ByzantineKind kind) {
    return kind == ByzantineKind.ALWAYS_FREE || kind == ByzantineKind.EARLY_COMMIT;
  }

  /** Some contender is called, whether it is its turn or not. */
  private static List<OutgoingMessage> called(
      HonestStep step, SeenRequests seen, StrategyContext context) {
    List<OutgoingMessage> said = new ArrayList<>(step.meant());
    if (!seen.isEmpty()) {
      said.add(granting(seen.any(context.entropy())));
    }
    return said;
  }

  private static OutgoingMessage granting(Seen seen) {
    return new OutgoingMessage(seen.client(), free(seen.request(), seen.number()), 0);
  }

  private static Free free(BackoffRequest request, long number) {
    return new Free(request.lock(), request.contender(), request.time(), number);
  }

  private static List<OutgoingMessage> answering(ClientId from, Message answer) {
    return List.of(new OutgoingMessage(from, answer, 0));
  }

  private static List<OutgoingMessage> freeToAll(
      ClientId from, BackoffRequest request, SeenRequests seen, StrategyContext context) {
    List<OutgoingMessage> said = new ArrayList<>();
    said.add(new OutgoingMessage(from, free(request, SeenRequests.number(request)), 0));
    if (context.entropy().chance(0.5)) {
      seen.of(request.lock()).stream()
          .limit(GRANTED_AT_ONCE)
          .forEach(other -> said.add(granting(other)));
    }
    return said;
  }

  /** Those who wait are called at once. */
  private static List<OutgoingMessage> tooEarly(
      HonestStep step, BackoffRequest request, SeenRequests seen, StrategyContext context) {
    List<OutgoingMessage> said = new ArrayList<>(step.meant());
    for (Seen other : seen.of(request.lock())) {
      if (other.request() instanceof Try && context.entropy().chance(0.5)) {
        said.add(granting(other).later(context.entropy().nextLong(50 * MILLI)));
      }
    }
    return said;
  }

  private static List<OutgoingMessage> anothers(
      ClientId from, BackoffRequest request, SeenRequests seen, StrategyContext context) {
    Seen other = seen.any(context.entropy());
    BackoffRequest theirs = other.request();
    Message answer =
        switch (context.entropy().nextInt(3)) {
          case 0 -> free(theirs, other.number());
          case 1 ->
              new Free(
                  request.lock(), theirs.contender(), request.time(), Math.max(1, other.number()));
          default -> new Locked(theirs.time(), other.number(), 0, SealedRank.NONE);
        };
    return answering(from, answer);
  }

  private static Message denial(BackoffRequest request, Moment now, StrategyContext context) {
    long number = SeenRequests.number(request);
    SealedRank ghost =
        new SealedRank(
            RankClock.atWall(now.wallMillis()), context.entropy().nextLong(), Optional.empty());
    return switch ((int) context.agreed(TOPIC_DENIAL, 4)) {
      case 0 -> new Locked(request.time(), number, Long.MAX_VALUE, ghost, true);
      case 1 -> new Refused(request.time(), RefusalReason.LEASE_TOO_LONG, 1);
      case 2 -> new Refused(request.time(), RefusalReason.TOO_MANY_LOCKS, 0);
      default ->
          new Locked(request.time(), number, context.entropy().nextLong(1_000 * MILLI), ghost);
    };
  }

  private Message wild(
      BackoffRequest request, Moment now, SeenRequests seen, StrategyContext context) {
    Entropy entropy = context.entropy();
    long number = SeenRequests.number(request);
    return switch (entropy.nextInt(6)) {
      case 0 -> free(request, Long.MAX_VALUE);
      case 1 -> free(request, Math.max(1, number + 1 + entropy.nextLong(3)));
      case 2 -> free(request, 1);
      case 3 ->
          new Locked(request.time(), entropy.nextLong() >>> 1, 0, wildRank(now, seen, context));
      case 4 -> new Locked(request.time(), number, 0, wildRank(now, seen, context));
      default -> new Stale(request.time(), number, wildRank(now, seen, context));
    };
  }

  private SealedRank wildRank(Moment now, SeenRequests seen, StrategyContext context) {
    Entropy entropy = context.entropy();
    long far = RankClock.atWall(now.wallMillis() + entropy.nextLong(FAR_MILLIS));
    BackoffRequest other = seen.any(entropy).request();
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
  private static Message overtaken(BackoffRequest request, Moment now, StrategyContext context) {
    long ahead = Math.max(request.time(), RankClock.atWall(now.wallMillis()));
    SealedRank rank = context.agreed(TOPIC_STARVING, 2) == 0 ? SealedRank.NONE : above(ahead, 1);
    return new Stale(request.time(), SeenRequests.number(request), rank);
  }

  /** A rank that may be true, so that every attempt seems to be too low. */
  private static Message invented(BackoffRequest request, Moment now, StrategyContext context) {
    Entropy entropy = context.entropy();
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
