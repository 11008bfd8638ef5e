package io.testudo.node.demo;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.sim.liar.LiarDesk;
import io.testudo.quorum.sim.liar.Lie;
import io.testudo.quorum.sim.liar.Mind;
import io.testudo.quorum.sim.liar.Occasion;
import io.testudo.quorum.sim.liar.Utterance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The head of a liar for one time of lies: one or more honest machines, which begin with what the
 * server knew when it turned, and the lie that decides what becomes of their answers.
 */
final class Deceit {
  /**
   * Minds take themselves to have started so long ago: a server that has just started is careful,
   * and a liar is not.
   */
  private static final long HEAD_START_NANOS = 3_600_000_000_000L;

  private final Mood.Plan plan;
  private final Lie lie;
  private final LiarDesk desk;
  private final Supplier<Mind> newMind;
  private final Input.Started<ClientId> beginning;
  private final Timers timers;
  private final Map<Integer, Mind> minds = new HashMap<>();

  /** Where minds have themselves woken up. */
  interface Timers {
    void set(int mind, TimerKey key, long delayNanos);

    void cancel(int mind, TimerKey key);
  }

  Deceit(
      Mood.Plan plan,
      LiarDesk desk,
      Supplier<Mind> newMind,
      Input.Started<ClientId> beginning,
      Timers timers) {
    this.plan = plan;
    this.lie = plan.kind().begin(desk.entropy());
    this.desk = desk;
    this.newMind = newMind;
    this.beginning = beginning;
    this.timers = timers;
  }

  boolean isOf(Mood.Plan other) {
    return plan.equals(other);
  }

  /** What the liar says to a message. */
  List<Utterance> hear(Input.Received<ClientId> heard, Moment now) {
    int mind = lie.mindFor(heard.from(), desk);
    return think(mind, heard, now, lie.remembers(desk));
  }

  /** What the liar says when a timer of one of its minds is due. */
  List<Utterance> wake(int mind, TimerKey key, Moment now) {
    return think(mind, new Input.TimerFired<>(key), now, true);
  }

  private List<Utterance> think(int index, Input<ClientId> input, Moment now, boolean keep) {
    Mind mind = minds.get(index);
    if (mind == null) {
      mind = newMind.get();
      minds.put(index, mind);
      Moment earlier = new Moment(now.nanos() - HEAD_START_NANOS, now.wallMillis());
      List<Utterance> unsaid =
          answers(index, mind.step(beginning, earlier, true), true, HEAD_START_NANOS);
      unsaid.forEach(desk::remember);
    }
    Moment moment = lie.clock(now, desk);
    List<Utterance> meant = answers(index, mind.step(input, moment, keep), keep, 0);
    List<Utterance> said = lie.say(new Occasion(input, moment, meant), desk);
    meant.forEach(desk::remember);
    return said;
  }

  private List<Utterance> answers(
      int mind, List<Effect<ClientId>> effects, boolean keep, long agoNanos) {
    List<Utterance> meant = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Send<ClientId> send) {
        meant.add(new Utterance(send.to(), send.message(), 0));
      } else if (keep && effect instanceof Effect.SetTimer<ClientId> timer) {
        timers.set(mind, timer.key(), Math.max(0, timer.delayNanos() - agoNanos));
      } else if (keep && effect instanceof Effect.CancelTimer<ClientId> timer) {
        timers.cancel(mind, timer.key());
      }
    }
    return meant;
  }
}
