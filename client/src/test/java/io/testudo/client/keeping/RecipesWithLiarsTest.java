package io.testudo.client.keeping;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.roster.RosterType;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Permits and barriers on the protocol of objects itself, with faults and lying servers. */
class RecipesWithLiarsTest {
  private static final long MILLI = 1_000_000L;
  private static final LockOptions OPTIONS =
      LockOptions.standard().withHold(Duration.ofSeconds(2)).withEndlessRenewal();

  /** What all runs saw. */
  private final AtomicLong granted = new AtomicLong();

  private final AtomicLong told = new AtomicLong();

  private record Taken(ClientId by, int weight) {}

  private final class Permits extends RecipeSimulation.OnRoster {
    private final Map<Lease, Taken> open = new LinkedHashMap<>();

    Permits(Thresholds thresholds, int size) {
      super(thresholds, RosterType.SEMAPHORE, size, told::incrementAndGet);
    }

    @Override
    public void operate(ClientPort port, Runnable done) {
      boolean calm = port.isCalm();
      LockOptions options =
          calm ? OPTIONS : OPTIONS.withMaxWait(Duration.ofMillis(1 + port.entropy().nextInt(900)));
      int weight = 1 + port.entropy().nextInt(size());
      CompletableFuture<Lease> asked = keeperOf(port).enter(weight, options);
      if (!calm && port.entropy().chance(0.2)) {
        port.after(port.entropy().nextLong(300 * MILLI), () -> asked.cancel(false));
      }
      var unused =
          asked.whenComplete(
              (lease, error) -> {
                if (lease == null) {
                  if (calm) {
                    broke("all is well, and a permit is refused: " + error);
                  }
                  done.run();
                } else {
                  holds(port, lease, weight, done);
                }
              });
    }

    private void holds(ClientPort port, Lease lease, int weight, Runnable done) {
      granted.incrementAndGet();
      open.put(lease, new Taken(port.self(), weight));
      int taken =
          open.entrySet().stream()
              .filter(held -> held.getKey().isHeld())
              .mapToInt(held -> held.getValue().weight())
              .sum();
      if (taken > size()) {
        broke(taken + " are held at " + port.trueNanos());
      }
      port.after(
          port.entropy().nextLong(150 * MILLI),
          () -> {
            open.remove(lease);
            lease.close();
            done.run();
          });
    }

    @Override
    public void onClientDies(ClientId client) {
      open.values().removeIf(held -> held.by().equals(client));
      super.onClientDies(client);
    }
  }

  private RecipeSimulation permits(int size) {
    return new RecipeSimulation(thresholds -> new Permits(thresholds, size));
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "2, 8"})
  void noMoreHoldThanThereIsWhateverLiarsSay(int size, long scenarios) {
    RecipeSimulation permits = permits(size);
    Campaign.Report report = permits.run(1, permits.lies(), scenarios);
    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(granted.get()).isGreaterThan(5 * scenarios);
    assertThat(told.get()).as("hints of servers").isPositive();
  }

  /** Whoever says at once that something changed, and whoever never says so. */
  @Test
  void bearsWithLiesAboutChanges() {
    Campaign.Report report =
        permits(1).run(1, Set.of(ByzantineKind.ALWAYS_FREE, ByzantineKind.WILD_NUMBER), 5);
    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(permits(1).run(1, Set.of(ByzantineKind.SILENT), 3).failures()).isEmpty();
  }

  /** Pairs that meet; whoever comes alone gives up after a while. */
  private final class Meetings extends RecipeSimulation.OnRoster {
    private static final int PARTIES = 2;
    private final Map<Long, Integer> told = new HashMap<>();

    /** Those who never heard whether they met: dead, or without an answer in time. */
    private int unheard;

    Meetings(Thresholds thresholds) {
      super(thresholds, RosterType.BARRIER, PARTIES, () -> {});
    }

    @Override
    public void operate(ClientPort port, Runnable done) {
      Duration wait = Duration.ofMillis(1 + port.entropy().nextInt(900));
      var unused =
          new BarrierRecipe(keeperOf(port), OPTIONS.withMaxWait(wait))
              .arrive()
              .whenComplete(
                  (generation, error) -> {
                    if (generation != null) {
                      granted.incrementAndGet();
                      if (told.merge(generation, 1, Integer::sum) > PARTIES) {
                        broke("more than met were told of generation " + generation);
                      }
                    } else if (!(error instanceof NotAcquiredException)) {
                      unheard++;
                    }
                    port.after(port.entropy().nextLong(100 * MILLI), done);
                  });
    }

    @Override
    public void onClientDies(ClientId client) {
      unheard++;
      super.onClientDies(client);
    }

    @Override
    public void atEnd() {
      int missing = told.values().stream().mapToInt(parties -> PARTIES - parties).sum();
      if (missing > unheard) {
        broke("%d went on alone, %d did not hear of it".formatted(missing, unheard));
      }
      super.atEnd();
    }
  }

  /** Nobody goes on alone, and nobody is told otherwise than whom it has met. */
  @Test
  void allWhoMetAreToldOfIt() {
    RecipeSimulation meetings = new RecipeSimulation(Meetings::new);
    Campaign.Report report = meetings.run(1, meetings.lies(), 10);
    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(granted.get()).isGreaterThan(20);
  }
}
