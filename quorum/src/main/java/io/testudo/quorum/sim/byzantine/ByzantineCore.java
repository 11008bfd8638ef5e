package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a faulty server thinks and says, in the simulator and in the demo: one or more honest
 * machines, and the lie that decides which of them hears what and what becomes of their answers.
 */
public final class ByzantineCore {
  /** The server around it: where its machines have themselves woken up, and where it speaks. */
  public interface Host {
    void setTimer(int machine, TimerKey key, long delayNanos);

    void cancelTimer(int machine, TimerKey key);

    /** Whether it may still lie; if not, it says what its machines mean. */
    default boolean mayLie() {
      return true;
    }

    /** Says what there is to say on one occasion. */
    void say(List<OutgoingMessage> words);
  }

  private final ByzantineStrategy lie;
  private final StrategyContext context;
  private final Supplier<HonestMachine> newMachine;
  private final Input.Started<ClientId> beginning;
  private final long headStartNanos;
  private final Host host;
  private final Map<Integer, HonestMachine> machines = new HashMap<>();

  /**
   * Makes one that has heard nothing yet.
   *
   * @param beginning what its machines know at the start
   * @param headStartNanos its machines take themselves to have started so long ago: a server that
   *     has just started may be careful, and a liar need not be
   */
  public ByzantineCore(
      ByzantineStrategy lie,
      StrategyContext context,
      Supplier<HonestMachine> newMachine,
      Input.Started<ClientId> beginning,
      long headStartNanos,
      Host host) {
    this.lie = lie;
    this.context = context;
    this.newMachine = newMachine;
    this.beginning = beginning;
    this.headStartNanos = headStartNanos;
    this.host = host;
  }

  /** A message arrived. */
  public void hear(Input.Received<ClientId> heard, Moment now) {
    int machine = lie.machineFor(heard.from(), context);
    think(machine, heard, now, lie.remembers(context));
  }

  /** A timer of one of its machines is due. */
  public void wake(int machine, TimerKey key, Moment now) {
    think(machine, new Input.TimerFired<>(key), now, true);
  }

  private void think(int index, Input<ClientId> input, Moment now, boolean keep) {
    Moment moment = lie.clock(now, context);
    HonestMachine machine = machines.get(index);
    if (machine == null) {
      machine = newMachine.get();
      machines.put(index, machine);
      begin(index, machine, now);
    }
    say(input, moment, meant(index, machine.step(input, moment, keep), keep, 0));
  }

  private void begin(int index, HonestMachine machine, Moment now) {
    if (headStartNanos > 0) {
      // What it said so long ago is over, and can only be replayed.
      Moment earlier = new Moment(now.nanos() - headStartNanos, now.wallMillis());
      meant(index, machine.step(beginning, earlier, true), true, headStartNanos)
          .forEach(context::remember);
    } else {
      Moment start = lie.clock(now, context);
      say(beginning, start, meant(index, machine.step(beginning, start, true), true, 0));
    }
  }

  private void say(Input<ClientId> cause, Moment moment, List<OutgoingMessage> meant) {
    HonestStep step = new HonestStep(cause, moment, meant);
    host.say(host.mayLie() ? lie.say(step, context) : step.meant());
    meant.forEach(context::remember);
  }

  /**
   * What a machine would send; its timers are set.
   *
   * @param keep whether it was changed by what it heard
   * @param agoNanos how long ago it takes that to have been
   */
  public List<OutgoingMessage> meant(
      int machine, List<Effect<ClientId>> effects, boolean keep, long agoNanos) {
    List<OutgoingMessage> meant = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Send<ClientId> send) {
        meant.add(new OutgoingMessage(send.to(), send.message(), 0));
      } else if (keep && effect instanceof Effect.SetTimer<ClientId> timer) {
        host.setTimer(machine, timer.key(), Math.max(0, timer.delayNanos() - agoNanos));
      } else if (keep && effect instanceof Effect.CancelTimer<ClientId> timer) {
        host.cancelTimer(machine, timer.key());
      }
    }
    return meant;
  }
}
