package io.testudo.client.keeping;

import io.testudo.client.recipes.Barrier;
import io.testudo.client.recipes.CountDownLatch;
import io.testudo.client.recipes.FencedSequence;
import io.testudo.client.recipes.LeaderElection;
import io.testudo.client.recipes.ReadWriteLock;
import io.testudo.client.recipes.Semaphore;
import io.testudo.client.roster.LatchState;
import io.testudo.client.roster.Roster;
import io.testudo.client.roster.RosterType;
import io.testudo.client.roster.SequenceState;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.LockOptions;
import io.testudo.ordering.ObjectSpace;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All recipes of one client, so that they end with it. */
public final class RecipeBook {
  private final Surroundings around;
  private final Map<KeeperKey, RosterKeeper> keepers = new ConcurrentHashMap<>();
  private final Set<ElectionCandidate> candidates = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Those who open the same thing share what watches it. */
  private record KeeperKey(RosterType type, String name, int size) {}

  public RecipeBook(Surroundings surroundings) {
    this.around = surroundings;
  }

  public Semaphore semaphore(ObjectSpace space, String name, int size, LockOptions options) {
    return new SemaphoreRecipe(
        keeper(space, RosterType.SEMAPHORE, name, checkSize("permits", size), options), options);
  }

  public ReadWriteLock readWriteLock(ObjectSpace space, String name, LockOptions options) {
    return new ReadWriteRecipe(
        keeper(space, RosterType.READ_WRITE_LOCK, name, Roster.MAX_HOLDERS, options), options);
  }

  /** As many can wait as a barrier has, but for the last one. */
  public Barrier barrier(ObjectSpace space, String name, int parties, LockOptions options) {
    int most = Roster.MAX_WAITERS;
    return new BarrierRecipe(
        keeper(space, RosterType.BARRIER, name, check("parties", parties, most), options), options);
  }

  public CountDownLatch countDownLatch(ObjectSpace space, String name, int count) {
    requireOpen();
    int checked = check("counts", count, LatchState.MAX_COUNT);
    return new LatchRecipe(space.open(name, LatchState.TYPE), checked);
  }

  public FencedSequence fencedSequence(ObjectSpace space, String name) {
    requireOpen();
    return new SequenceRecipe(space.open(name, SequenceState.TYPE));
  }

  /** On a lock that is renewed as its options say. */
  public LeaderElection leaderElection(DistributedLock lock) {
    requireOpen();
    ElectionCandidate[] self = new ElectionCandidate[1];
    ElectionCandidate candidate =
        new ElectionCandidate(lock, around, () -> candidates.remove(self[0]));
    self[0] = candidate;
    candidates.add(candidate);
    return candidate;
  }

  private static int checkSize(String what, int size) {
    return check(what, size, Roster.MAX_HOLDERS);
  }

  private static int check(String what, int number, int most) {
    if (number < 1 || number > most) {
      throw new IllegalArgumentException(
          "There cannot be %d %s; choose 1 to %d.".formatted(number, what, most));
    }
    return number;
  }

  private RosterKeeper keeper(
      ObjectSpace space, RosterType type, String name, int size, LockOptions options) {
    requireOpen();
    LockOptions standard = LockOptions.standard();
    if (!options.servers().equals(standard.servers())
        || options.backend().isPresent()
        || options.persistent()
        || options.reentrant()) {
      throw new IllegalArgumentException(
          "Of the options only hold, wait and renewal are for '%s'; leave the others as usual."
              .formatted(name));
    }
    if (options.hold().toMillis() == 0) {
      throw new IllegalArgumentException(
          "A hold of %s is shorter than a millisecond; choose a longer one."
              .formatted(options.hold()));
    }
    KeeperKey key = new KeeperKey(type, name, size);
    RosterKeeper present = keepers.get(key);
    if (present != null) {
      return present;
    }
    // Not inside of the map, which would open the object under a monitor of its own.
    RosterKeeper mine = new RosterKeeper(space.open(name, type.type()), type, size, around);
    RosterKeeper earlier = keepers.putIfAbsent(key, mine);
    return earlier == null ? mine : earlier;
  }

  private void requireOpen() {
    if (closed) {
      throw new ClosedException(Outcome.DID_NOT_HAPPEN);
    }
  }

  /**
   * Gives everything back, and waits for that no longer than said: what servers do not hear of is
   * free when its lease is over.
   */
  public void close(Duration patience) {
    closed = true;
    candidates.forEach(ElectionCandidate::close);
    CompletableFuture<?> all =
        CompletableFuture.allOf(
            keepers.values().stream().map(RosterKeeper::close).toArray(CompletableFuture[]::new));
    Object unused =
        all.<@Nullable Object>thenApply(done -> null)
            .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
            .join();
  }
}
