package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.sim.byzantine.ByzantineCore;
import io.testudo.quorum.sim.byzantine.ByzantineStrategy;
import io.testudo.quorum.sim.byzantine.HonestMachine;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.Envelope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A faulty server: it thinks with honest machines, and its lie decides what becomes of it. Beside
 * them runs an honest twin that hears everything and says nothing, by which we know what a lie is.
 */
final class SimByzantineServer extends SimNode implements ByzantineCore.Host {
  /** The honest machine of the honest twin. */
  private static final int HONEST = -1;

  /** Where lies provoke answers, and these more lies, a run would never end. */
  private static final long MAX_WORDS = 4_000;

  /** Who starves others never rests. */
  private static final long MAX_WORDS_IN_CROWD = 200_000;

  private final ServerId id;
  private final Clients clients;
  private final ByzantineStrategy lie;
  private final StrategyContext context;
  private final List<StateRecord> kept;
  private final ByzantineCore core;
  private final Map<CopyTimer, Alarm.Ring> timers = new HashMap<>();
  private @Nullable HonestMachine honest;

  /** What the honest twin has just said. */
  private final List<OutgoingMessage> truths = new ArrayList<>();

  private long spoken;

  private record CopyTimer(int machine, TimerKey key) {}

  /**
   * Makes a liar.
   *
   * @param kept what it kept while it was honest
   * @param believed what its honest machines know at the start: that, or less
   */
  SimByzantineServer(
      World world,
      ServerId id,
      Clients clients,
      ByzantineStrategy lie,
      StrategyContext context,
      List<StateRecord> kept,
      List<StateRecord> believed) {
    super(world, id.index(), id + "!", FaultKind.SERVER_PAUSE);
    this.id = id;
    this.clients = clients;
    this.lie = lie;
    this.context = context;
    this.kept = kept;
    this.core =
        new ByzantineCore(lie, context, this::newMachine, new Input.Started<>(believed), 0, this);
  }

  @Override
  void arrive(Parcel parcel) {
    whenAwake(() -> receive(parcel));
  }

  private void receive(Parcel parcel) {
    String principal = clients.principal(parcel.from());
    for (Envelope envelope : Gateway.open(this, parcel)) {
      ClientId from = new ClientId(principal, parcel.session(), envelope.handle());
      if (honest().handles(envelope.message())) {
        Input.Received<ClientId> heard = new Input.Received<>(from, envelope.message());
        truths.clear();
        thinkHonestly(honest(), heard);
        core.hear(heard, moment());
      }
    }
  }

  /** Has a seed of its own, so that a copy of it has the same chance. */
  private HonestMachine newMachine() {
    long seed = context.entropy().nextLong();
    return new HonestMachine(() -> world.workload.newServer(id, Entropy.seeded(seed)));
  }

  private HonestMachine honest() {
    HonestMachine twin = honest;
    if (twin == null) {
      twin = newMachine();
      honest = twin;
      thinkHonestly(twin, new Input.Started<>(kept));
    }
    return twin;
  }

  private void thinkHonestly(HonestMachine twin, Input<ClientId> input) {
    truths.addAll(core.meant(HONEST, twin.step(input, moment(), true), true, 0));
  }

  private Moment moment() {
    return new Moment(clock.nanos(), clock.wallMillis());
  }

  private void wake(CopyTimer timer) {
    timers.remove(timer);
    if (timer.machine() == HONEST) {
      thinkHonestly(honest(), new Input.TimerFired<>(timer.key()));
    } else {
      core.wake(timer.machine(), timer.key(), moment());
    }
  }

  @Override
  public void setTimer(int machine, TimerKey key, long delayNanos) {
    CopyTimer timer = new CopyTimer(machine, key);
    cancelTimer(machine, key);
    timers.put(timer, after(delayNanos, () -> wake(timer)));
  }

  @Override
  public void cancelTimer(int machine, TimerKey key) {
    Alarm.Ring ring = timers.remove(new CopyTimer(machine, key));
    if (ring != null) {
      ring.cancel();
    }
  }

  @Override
  public boolean mayLie() {
    return spoken < (world.workload.keepsBusy() ? MAX_WORDS_IN_CROWD : MAX_WORDS);
  }

  @Override
  public void say(List<OutgoingMessage> words) {
    spoken += words.size();
    for (OutgoingMessage said : words) {
      boolean isLie = !isTrue(said);
      if (said.delayNanos() == 0) {
        write(said.to(), said.message(), isLie);
      } else {
        world.events.after(said.delayNanos(), () -> write(said.to(), said.message(), isLie));
      }
    }
  }

  /**
   * Whether the honest twin has just said it, whenever it is sent. There are few of these, and most
   * of what is said is one of them or differs early: a hash would read all of each, long or not.
   */
  @SuppressWarnings("ReferenceEquality")
  private boolean isTrue(OutgoingMessage said) {
    for (OutgoingMessage truth : truths) {
      if (truth.to().equals(said.to())
          && (truth.message() == said.message() || truth.message().equals(said.message()))) {
        return true;
      }
    }
    return false;
  }

  private void write(ClientId to, Message message, boolean isLie) {
    SimFrame frame;
    try {
      frame = world.frames.pack(List.of(new Envelope(to.handle(), message))).get(0);
    } catch (IllegalArgumentException e) {
      return; // Longer than anybody may be.
    }
    for (byte[] bytes : lie.write(frame.bytes(), context)) {
      boolean isSame = Arrays.equals(bytes, frame.bytes());
      boolean lies = isLie || !isSame;
      if (lies) {
        world.stats.lieTold();
        world.trace.note(world.events.nowNanos(), name, () -> "lies to " + to + ": " + message);
      }
      world.send(
          new Parcel(
              index, clients.node(to), to.session(), isSame ? frame : new SimFrame(bytes), lies));
    }
  }
}
