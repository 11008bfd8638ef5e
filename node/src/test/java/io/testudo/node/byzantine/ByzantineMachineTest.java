package io.testudo.node.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.LongestLease;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sim.BackoffForger;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.Incarnated;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.ping.Witnessed;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Collusion;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ByzantineMachineTest {
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);
  private static final ServerId SELF = new ServerId(2);
  private static final ServerId OTHER = new ServerId(1);
  private static final Incarnations NOTHING = Incarnations.none(4);

  private final TestFaultSwitch faultSwitch = new TestFaultSwitch();
  private final ByzantineMachine server =
      new ByzantineMachine(
          SELF,
          4,
          () -> new PingServer(SELF, 4),
          PingTypes.ALL,
          (kind, step, context) -> step.meant(),
          Entropy.seeded(1),
          faultSwitch);
  private long nanos = 5;

  private static final class TestFaultSwitch implements FaultSwitch {
    private @Nullable Plan plan;
    private int lies;

    @Override
    public @Nullable Plan plan() {
      return plan;
    }

    @Override
    public void lieTold() {
      lies++;
    }
  }

  private List<Effect<ClientId>> step(Input<ClientId> input) {
    return server.step(input, new Moment(++nanos, 1_000));
  }

  private List<Effect<ClientId>> tell(ClientId from, Message message) {
    return step(new Input.Received<>(from, message));
  }

  private static Effect.Send<ClientId> pong(ClientId to, long incarnation, Incarnations witnessed) {
    return new Effect.Send<>(to, new Pong(9, SELF, incarnation, witnessed));
  }

  @BeforeEach
  void start() {
    assertThat(step(new Input.Started<>(List.of())))
        .containsExactly(new Effect.Persist<>(new Incarnated(1)));
  }

  @Test
  void answersAsItsHonestMachineUntilItTurns() {
    assertThat(tell(ALICE, new Ping(9, NOTHING))).containsExactly(pong(ALICE, 1, NOTHING));
    assertThat(faultSwitch.lies).isZero();
  }

  @Test
  void keepsItsJournalWhileItLiesAndKnowsEverythingWhenItIsHonestAgain() {
    Incarnations news = NOTHING.with(OTHER, 3);
    faultSwitch.plan = new FaultSwitch.Plan(ByzantineKind.SILENT, new Collusion(1));
    assertThat(tell(ALICE, new Ping(9, news)))
        .containsExactly(new Effect.Persist<>(new Witnessed(OTHER, 3)));
    assertThat(faultSwitch.lies).isOne();
    assertThat(server.snapshot()).contains(new Witnessed(OTHER, 3));
    faultSwitch.plan = null;
    assertThat(tell(ALICE, new Ping(9, NOTHING))).containsExactly(pong(ALICE, 1, news));
    assertThat(faultSwitch.lies).isOne();
  }

  @Test
  void hasAMachineForEachClientThatBeginsWithWhatWasKnownWhenItTurned() {
    Incarnations before = NOTHING.with(OTHER, 3);
    tell(ALICE, new Ping(9, before));
    faultSwitch.plan = new FaultSwitch.Plan(ByzantineKind.EQUIVOCATE, new Collusion(1));
    tell(ALICE, new Ping(9, NOTHING.with(OTHER, 4)));
    // Each honest machine takes itself to have started again; alice's has heard of 4, bob's has
    // not.
    assertThat(tell(ALICE, new Ping(9, NOTHING))).contains(pong(ALICE, 4, before.with(OTHER, 4)));
    assertThat(tell(BOB, new Ping(9, NOTHING))).contains(pong(BOB, 4, before));
    assertThat(faultSwitch.lies).isEqualTo(3);
  }

  @Test
  void mayLieFromItsFirstStepOn() {
    LockTiming timing = LockTiming.standard();
    faultSwitch.plan = new FaultSwitch.Plan(ByzantineKind.EQUIVOCATE, new Collusion(1));
    ByzantineMachine liar =
        new ByzantineMachine(
            SELF,
            4,
            () -> new BackoffServer(timing),
            new BackoffProtocol(timing).types(),
            new BackoffForger(timing),
            Entropy.seeded(1),
            faultSwitch);
    LongestLease longest = new LongestLease(timing.serverLeaseNanos(timing.maxLeaseNanos()));
    assertThat(liar.step(new Input.Started<>(List.of()), new Moment(1, 1_000)))
        .containsExactly(new Effect.Persist<>(longest));
    assertThat(liar.snapshot()).containsExactly(longest);

    Try request = new Try("a", 0, 1, Optional.empty(), 1_000, 1, false);
    List<Effect<ClientId>> effects =
        liar.step(new Input.Received<>(ALICE, request), new Moment(2, 1_000));

    assertThat(effects).contains(new Effect.Send<>(ALICE, new Free("a", 0, 1, 1)));
  }

  @Test
  void hearsNothingThatOnlyServersSay() {
    assertThat(tell(ALICE, new Pong(9, OTHER, 1, NOTHING))).isEmpty();
  }
}
