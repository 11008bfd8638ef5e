package io.testudo.mutex.dht.sim;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Alarm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One node that lives in a {@link RingWorld}, from its start to its death. */
public final class RunningNode {
  private final RingWorld world;
  private final NodeId id;
  private final DhtNode machine;
  private final boolean member;
  private final double rate;
  private final Map<TimerKey, Alarm.Ring> timers = new HashMap<>();
  private boolean ended;
  private long asleepUntilNanos;
  private long calls;

  RunningNode(RingWorld world, NodeId id, DhtNode machine, boolean member, double rate) {
    this.world = world;
    this.id = id;
    this.machine = machine;
    this.member = member;
    this.rate = rate;
  }

  public NodeId id() {
    return id;
  }

  public DhtNode machine() {
    return machine;
  }

  public boolean isMember() {
    return member;
  }

  /** Whether it lives. */
  public boolean lives() {
    return !ended;
  }

  /** The moment on its clock. */
  Moment now() {
    return world.moment(rate);
  }

  /** It does nothing for so long, while its clock goes on; then it does all that came. */
  void sleep(long nanos) {
    asleepUntilNanos = world.nowNanos() + nanos;
  }

  void begin() {
    take(new Input.Started<>(List.of()));
  }

  void end() {
    ended = true;
    timers.values().forEach(Alarm.Ring::cancel);
    timers.clear();
  }

  void receive(NodeId from, Message message) {
    if (machine.handles(message)) {
      take(new Input.Received<>(from, message));
    }
  }

  /** The number that the next call will have. */
  long nextCall() {
    return calls + 1;
  }

  /** Calls the mutex; gives the number by which the answer comes. */
  public <R> long call(Call<R> call) {
    long number = ++calls;
    take(new Input.Called<>(new CallId<R>(number), call));
    return number;
  }

  /** By which grants a lock is held here. */
  ImmutableMap<Integer, GrantId> grants(String lock, long token) {
    return machine.backend().grants(lock, token, now());
  }

  /** Gives a call up. */
  public void cancel(long call) {
    take(new Input.Cancelled<>(new CallId<Object>(call)));
  }

  private void take(Input<NodeId> input) {
    if (ended) {
      return;
    }
    if (world.nowNanos() < asleepUntilNanos) {
      world.after(asleepUntilNanos - world.nowNanos(), () -> take(input));
      return;
    }
    List<Effect<NodeId>> effects = machine.step(input, now());
    world.trace().step(world.nowNanos(), id, input, effects);
    for (Effect<NodeId> effect : effects) {
      carryOut(effect);
    }
  }

  private void carryOut(Effect<NodeId> effect) {
    if (effect instanceof Effect.Send<NodeId> send) {
      world.carry(id, send.to(), send.message());
    } else if (effect instanceof Effect.SetTimer<NodeId> timer) {
      set(timer.key(), (long) Math.ceil(timer.delayNanos() / rate));
    } else if (effect instanceof Effect.CancelTimer<NodeId> timer) {
      Alarm.Ring ring = timers.remove(timer.key());
      if (ring != null) {
        ring.cancel();
      }
    } else if (effect instanceof Effect.Complete<NodeId> complete) {
      world.listener().completed(this, complete.id().number(), complete.result());
    } else if (effect instanceof Effect.Fail<NodeId> failure) {
      world.listener().failed(this, failure.id().number(), failure.reason());
    } else if (effect instanceof Effect.Tell<NodeId> tell) {
      world.listener().told(this, tell.event());
    }
  }

  private void set(TimerKey key, long delayNanos) {
    Alarm.Ring before =
        timers.put(
            key,
            world.after(
                delayNanos,
                () -> {
                  timers.remove(key);
                  take(new Input.TimerFired<>(key));
                }));
    if (before != null) {
      before.cancel();
    }
  }
}
