package io.testudo.bench.virtual;

import io.testudo.bench.virtual.VirtualTime.Happening;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.sim.byzantine.ByzantineCore;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.ByzantineStrategy;
import io.testudo.quorum.sim.byzantine.Collusion;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.sim.byzantine.HonestMachine;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A server that lies in one way, in virtual time, with the lies of the simulator. */
public final class VirtualLiar implements ByzantineCore.Host {
  private final ServerId self;
  private final VirtualTime time;
  private final VirtualNetwork network;
  private final ByzantineStrategy lie;
  private final StrategyContext context;
  private final FrameCodec frames;
  private final ByzantineCore core;
  private final Map<CopyTimer, Happening> timers = new HashMap<>();

  private record CopyTimer(int machine, TimerKey key) {}

  /**
   * Takes the place of an honest server.
   *
   * @param servers how many there are
   * @param newMachine makes an honest machine that has not started, with the given chance
   * @param kept by the honest server up to now
   */
  public VirtualLiar(
      ServerId self,
      int servers,
      ByzantineKind kind,
      VirtualTime time,
      VirtualNetwork network,
      WireTypes types,
      Forger forger,
      Function<Entropy, Machine<ClientId>> newMachine,
      List<StateRecord> kept,
      Entropy entropy) {
    this.self = self;
    this.time = time;
    this.network = network;
    this.lie = kind.begin(entropy.fork(1));
    this.context =
        new StrategyContext(
            self, servers, forger, types, entropy, new Collusion(entropy.nextLong()));
    this.frames = new FrameCodec(types, WireLimits.AUTHENTICATED);
    this.core =
        new ByzantineCore(
            lie,
            context,
            () -> {
              long seed = entropy.nextLong();
              return new HonestMachine(() -> newMachine.apply(Entropy.seeded(seed)));
            },
            new Input.Started<>(kept),
            0,
            this);
    network.serve(self, this::hear);
  }

  private void hear(ClientId from, Message message) {
    core.hear(new Input.Received<>(from, message), time.now());
  }

  @Override
  public void setTimer(int machine, TimerKey key, long delayNanos) {
    cancelTimer(machine, key);
    CopyTimer timer = new CopyTimer(machine, key);
    timers.put(
        timer,
        time.after(
            delayNanos,
            () -> {
              timers.remove(timer);
              core.wake(machine, key, time.now());
            }));
  }

  @Override
  public void cancelTimer(int machine, TimerKey key) {
    Happening happening = timers.remove(new CopyTimer(machine, key));
    if (happening != null) {
      happening.cancel();
    }
  }

  @Override
  public void say(List<OutgoingMessage> words) {
    for (OutgoingMessage said : words) {
      time.after(said.delayNanos(), () -> write(said.to(), said.message()));
    }
  }

  /** By way of bytes, in which some lies are. */
  private void write(ClientId to, Message message) {
    try {
      for (byte[] frame : frames.pack(List.of(new Envelope(to.handle(), message)))) {
        for (byte[] written : lie.write(frame, context)) {
          read(to, written);
        }
      }
    } catch (IllegalArgumentException e) {
      return; // Longer than anybody may be.
    }
  }

  private void read(ClientId to, byte[] written) {
    try {
      for (Envelope envelope : frames.decode(written).envelopes()) {
        network.carry(self, to, envelope.message());
      }
    } catch (WireException e) {
      return; // A client drops it, too.
    }
  }
}
