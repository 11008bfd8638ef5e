package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.sim.liar.LiarDesk;
import io.testudo.quorum.sim.liar.Lie;
import io.testudo.quorum.sim.liar.Mind;
import io.testudo.quorum.sim.liar.Occasion;
import io.testudo.quorum.sim.liar.Utterance;
import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.Envelope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A faulty server: it thinks with honest machines, and its lie decides what becomes of it. Beside
 * them runs an honest twin that hears everything and says nothing, by which we know what a lie is.
 */
final class SimLiar extends SimNode {
  /** The mind of the honest twin. */
  private static final int HONEST = -1;

  /** Where lies provoke answers, and these more lies, a run would never end. */
  private static final long MAX_WORDS = 4_000;

  /** Who starves others never rests. */
  private static final long MAX_WORDS_IN_CROWD = 200_000;

  private final ServerId id;
  private final Clients clients;
  private final Lie lie;
  private final LiarDesk desk;
  private final List<StateRecord> kept;
  private final List<StateRecord> believed;
  private final Map<Integer, Mind> minds = new HashMap<>();
  private final Map<MindTimer, Alarm.Ring> timers = new HashMap<>();

  /** What the honest twin has just said. */
  private final Set<Utterance> truths = new HashSet<>();

  private long spoken;

  private record MindTimer(int mind, TimerKey key) {}

  /**
   * Makes a liar.
   *
   * @param kept what it kept while it was honest
   * @param believed what its minds know at the start: that, or less
   */
  SimLiar(
      World world,
      ServerId id,
      Clients clients,
      Lie lie,
      LiarDesk desk,
      List<StateRecord> kept,
      List<StateRecord> believed) {
    super(world, id.index(), id + "!", FaultKind.SERVER_PAUSE);
    this.id = id;
    this.clients = clients;
    this.lie = lie;
    this.desk = desk;
    this.kept = kept;
    this.believed = believed;
  }

  @Override
  void arrive(Parcel parcel) {
    whenAwake(() -> receive(parcel));
  }

  private void receive(Parcel parcel) {
    String principal = clients.principal(parcel.from());
    for (Envelope envelope : Gateway.open(this, parcel)) {
      ClientId from = new ClientId(principal, parcel.session(), envelope.handle());
      if (mind(HONEST).hears(envelope.message())) {
        Input<ClientId> heard = new Input.Received<>(from, envelope.message());
        truths.clear();
        think(HONEST, heard, true);
        think(lie.mindFor(from, desk), heard, lie.remembers(desk));
      }
    }
  }

  private Mind mind(int index) {
    Mind present = minds.get(index);
    if (present != null) {
      return present;
    }
    // One seed for each mind, so that a copy of it has the same chance.
    long seed = desk.entropy().nextLong();
    Mind fresh = new Mind(() -> world.workload.newServer(id, Entropy.seeded(seed)));
    minds.put(index, fresh);
    think(index, new Input.Started<>(index == HONEST ? kept : believed), true);
    return fresh;
  }

  private void think(int index, Input<ClientId> input, boolean keep) {
    Moment honest = new Moment(clock.nanos(), clock.wallMillis());
    Moment moment = index == HONEST ? honest : lie.clock(honest, desk);
    List<Utterance> meant = new ArrayList<>();
    for (Effect<ClientId> effect : mind(index).step(input, moment, keep)) {
      if (effect instanceof Effect.Send<ClientId> send) {
        meant.add(new Utterance(send.to(), send.message(), 0));
      } else if (keep && effect instanceof Effect.SetTimer<ClientId> timer) {
        setTimer(new MindTimer(index, timer.key()), timer.delayNanos());
      } else if (keep && effect instanceof Effect.CancelTimer<ClientId> timer) {
        cancelTimer(new MindTimer(index, timer.key()));
      }
    }
    if (index == HONEST) {
      truths.addAll(meant);
    } else {
      say(new Occasion(input, moment, meant));
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
              think(timer.mind(), new Input.TimerFired<>(timer.key()), true);
            }));
  }

  private void cancelTimer(MindTimer timer) {
    Alarm.Ring ring = timers.remove(timer);
    if (ring != null) {
      ring.cancel();
    }
  }

  private void say(Occasion occasion) {
    long most = world.workload.keepsBusy() ? MAX_WORDS_IN_CROWD : MAX_WORDS;
    List<Utterance> words = spoken < most ? lie.say(occasion, desk) : occasion.meant();
    spoken += words.size();
    for (Utterance said : words) {
      boolean isLie = !truths.contains(new Utterance(said.to(), said.message(), 0));
      if (said.delayNanos() == 0) {
        write(said.to(), said.message(), isLie);
      } else {
        world.events.after(said.delayNanos(), () -> write(said.to(), said.message(), isLie));
      }
    }
    occasion.meant().forEach(desk::remember);
  }

  private void write(ClientId to, Message message, boolean isLie) {
    byte[] frame;
    try {
      frame = world.frames.pack(List.of(new Envelope(to.handle(), message))).get(0);
    } catch (IllegalArgumentException e) {
      return; // Longer than anybody may be.
    }
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
