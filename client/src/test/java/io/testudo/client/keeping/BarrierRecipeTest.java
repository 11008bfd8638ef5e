package io.testudo.client.keeping;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.roster.Roster;
import io.testudo.client.roster.RosterType;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Parties of a barrier who stand still or die, in virtual time. */
class BarrierRecipeTest {
  private static final long MILLI = VirtualWorld.MILLI;
  private static final LockOptions OPTIONS =
      LockOptions.standard().withHold(Duration.ofSeconds(1)).withEndlessRenewal();

  private final VirtualWorld world = new VirtualWorld(7);
  private final VirtualObject<Roster> object =
      new VirtualObject<>(world, RosterType.BARRIER.type(), 10 * MILLI);

  private final class Party {
    private final VirtualWorld.VirtualNode node = world.new VirtualNode("party", 1);
    private final BarrierRecipe barrier;

    Party(int parties) {
      barrier =
          new BarrierRecipe(
              new RosterKeeper(object.handle(node), RosterType.BARRIER, parties, node.around(0.01)),
              OPTIONS);
    }
  }

  /** The others have gone on with it, and wait again for longer than its lease lasts. */
  @Test
  void whoStandsStillWhenItGoesOnIsToldItsOwnGeneration() {
    Party one = new Party(2);
    Party sleeper = new Party(2);
    CompletableFuture<Long> slept = sleeper.barrier.arrive();
    world.run(100 * MILLI);
    sleeper.node.pause(10_000 * MILLI);
    CompletableFuture<Long> first = one.barrier.arrive();
    world.run(100 * MILLI);
    assertThat(first).isCompletedWithValue(1L);
    CompletableFuture<Long> second = one.barrier.arrive();
    world.run(12_000 * MILLI);
    assertThat(slept).isCompletedWithValue(1L);
    assertThat(second).isNotCompleted();
    CompletableFuture<Long> woken = sleeper.barrier.arrive();
    world.run(1_000 * MILLI);
    assertThat(second).isCompletedWithValue(2L);
    assertThat(woken).isCompletedWithValue(2L);
  }
}
