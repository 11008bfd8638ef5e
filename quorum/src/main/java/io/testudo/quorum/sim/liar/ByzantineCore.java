package io.testudo.quorum.sim.liar;

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
    void setTimer(int mind, TimerKey key, long delayNanos);

    void cancelTimer(int mind, TimerKey key);

    /** Whether it may still lie; if not, it says what its machines mean. */
    default boolean mayLie() {
      return true;
    }

    /** Says what there is to say on one occasion. */
    void say(List<Utterance> words);
  }

  private final Lie lie;
  private final LiarDesk desk;
  private final Supplier<Mind> newMind;
  private final Input.Started<ClientId> beginning;
  private final long headStartNanos;
  private final Host host;
  private final Map<Integer, Mind> minds = new HashMap<>();

  /**
   * Makes one that has heard nothing yet.
   *
   * @param beginning what its machines know at the start
   * @param headStartNanos its machines take themselves to have started so long ago: a server that
   *     has just started may be careful, and a liar need not be
   */
  public ByzantineCore(
      Lie lie,
      LiarDesk desk,
      Supplier<Mind> newMind,
      Input.Started<ClientId> beginning,
      long headStartNanos,
      Host host) {
    this.lie = lie;
    this.desk = desk;
    this.newMind = newMind;
    this.beginning = beginning;
    this.headStartNanos = headStartNanos;
    this.host = host;
  }

  /** A message arrived. */
  public void hear(Input.Received<ClientId> heard, Moment now) {
    int mind = lie.mindFor(heard.from(), desk);
    think(mind, heard, now, lie.remembers(desk));
  }

  /** A timer of one of its machines is due. */
  public void wake(int mind, TimerKey key, Moment now) {
    think(mind, new Input.TimerFired<>(key), now, true);
  }

  private void think(int index, Input<ClientId> input, Moment now, boolean keep) {
    Moment moment = lie.clock(now, desk);
    Mind mind = minds.get(index);
    if (mind == null) {
      mind = newMind.get();
      minds.put(index, mind);
      begin(index, mind, now);
    }
    say(input, moment, meant(index, mind.step(input, moment, keep), keep, 0));
  }

  private void begin(int index, Mind mind, Moment now) {
    if (headStartNanos > 0) {
      // What it said so long ago is over, and can only be replayed.
      Moment earlier = new Moment(now.nanos() - headStartNanos, now.wallMillis());
      meant(index, mind.step(beginning, earlier, true), true, headStartNanos)
          .forEach(desk::remember);
    } else {
      Moment start = lie.clock(now, desk);
      say(beginning, start, meant(index, mind.step(beginning, start, true), true, 0));
    }
  }

  private void say(Input<ClientId> cause, Moment moment, List<Utterance> meant) {
    Occasion occasion = new Occasion(cause, moment, meant);
    host.say(host.mayLie() ? lie.say(occasion, desk) : occasion.meant());
    meant.forEach(desk::remember);
  }

  /**
   * What a machine would send; its timers are set.
   *
   * @param keep whether it was changed by what it heard
   * @param agoNanos how long ago it takes that to have been
   */
  public List<Utterance> meant(
      int mind, List<Effect<ClientId>> effects, boolean keep, long agoNanos) {
    List<Utterance> meant = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Send<ClientId> send) {
        meant.add(new Utterance(send.to(), send.message(), 0));
      } else if (keep && effect instanceof Effect.SetTimer<ClientId> timer) {
        host.setTimer(mind, timer.key(), Math.max(0, timer.delayNanos() - agoNanos));
      } else if (keep && effect instanceof Effect.CancelTimer<ClientId> timer) {
        host.cancelTimer(mind, timer.key());
      }
    }
    return meant;
  }
}
