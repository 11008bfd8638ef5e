package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.sim.liar.LiarDesk;
import io.testudo.quorum.sim.liar.Lie;
import io.testudo.quorum.sim.liar.Mind;
import io.testudo.quorum.sim.liar.Utterance;
import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.wire.Envelope;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A faulty server: it thinks with honest machines, and its lie decides what becomes of it. */
final class SimLiar extends SimNode {
  private final ServerId id;
  private final Clients clients;
  private final Lie lie;
  private final LiarDesk desk;
  private final Map<Integer, Mind> minds = new HashMap<>();
  private final Map<MindTimer, Alarm.Ring> timers = new HashMap<>();

  private record MindTimer(int mind, TimerKey key) {}

  SimLiar(World world, ServerId id, Clients clients, Lie lie, LiarDesk desk) {
    super(world, id.index(), id + "!", FaultKind.SERVER_PAUSE);
    this.id = id;
    this.clients = clients;
    this.lie = lie;
    this.desk = desk;
  }

  @Override
  void arrive(Parcel parcel) {
    whenAwake(() -> receive(parcel));
  }

  private void receive(Parcel parcel) {
    String principal = clients.principal(parcel.from());
    for (Envelope envelope : Gateway.open(this, parcel)) {
      ClientId from = new ClientId(principal, parcel.session(), envelope.handle());
      int index = lie.mindFor(from, desk);
      Mind mind = mind(index);
      if (mind.hears(envelope.message())) {
        boolean keep = lie.remembers(desk);
        think(index, mind, new Input.Received<>(from, envelope.message()), keep);
      }
    }
  }

  private Mind mind(int index) {
    return minds.computeIfAbsent(
        index,
        any -> new Mind(() -> world.workload.newServer(id, desk.entropy().fork(index)), moment()));
  }

  private Moment moment() {
    return lie.clock(new Moment(clock.nanos(), clock.wallMillis()), desk);
  }

  private void think(int index, Mind mind, Input<ClientId> input, boolean keep) {
    for (Effect<ClientId> effect : mind.step(input, moment(), keep)) {
      if (effect instanceof Effect.Send<ClientId> send) {
        say(new Utterance(send.to(), send.message(), 0), index != 0 || !mind.isIntact());
      } else if (keep && effect instanceof Effect.SetTimer<ClientId> timer) {
        setTimer(new MindTimer(index, timer.key()), timer.delayNanos());
      } else if (keep && effect instanceof Effect.CancelTimer<ClientId> timer) {
        cancelTimer(new MindTimer(index, timer.key()));
      }
    }
  }

  private void setTimer(MindTimer timer, long delayNanos) {
    cancelTimer(timer);
    timers.put(
        timer,
        after(
            delayNanos,
            () -> {
              timers.remove(timer);
              Mind mind = mind(timer.mind());
              think(timer.mind(), mind, new Input.TimerFired<>(timer.key()), true);
            }));
  }

  private void cancelTimer(MindTimer timer) {
    Alarm.Ring ring = timers.remove(timer);
    if (ring != null) {
      ring.cancel();
    }
  }

  private void say(Utterance meant, boolean confused) {
    for (Utterance said : lie.say(meant, desk)) {
      boolean isLie = confused || !said.equals(meant);
      if (said.delayNanos() == 0) {
        write(said.to(), said.message(), isLie);
      } else {
        world.events.after(said.delayNanos(), () -> write(said.to(), said.message(), isLie));
      }
    }
    desk.remember(meant);
  }

  private void write(ClientId to, Message message, boolean isLie) {
    byte[] frame = world.frames.encode(List.of(new Envelope(to.handle(), message)));
    for (byte[] bytes : lie.write(frame, desk)) {
      boolean lies = isLie || !Arrays.equals(bytes, frame);
      if (lies) {
        world.stats.lieTold();
        world.trace.note(world.events.nowNanos(), name, () -> "lies to " + to + ": " + message);
      }
      world.send(new Parcel(index, clients.node(to), to.session(), bytes, lies));
    }
  }
}
