package io.testudo.quorum.sim;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What all nodes of a run share. */
final class World {
  private static final int STEPS_PER_WEIGHING = 50;

  final EventQueue events = new EventQueue();
  final RunStats stats = new RunStats();
  final FaultPlan plan;
  final Entropy entropy;
  final Hazards hazards;
  final Rights rogueRights;
  final Trace trace;
  final Workload workload;
  final SimWire frames;
  final StateCodec records;
  final SimNetwork network;
  private final Footprint scales = new Footprint();
  private ServerSet liars = ServerSet.none();
  private ServerSet everFaulty = ServerSet.none();
  private @Nullable BiConsumer<SimClient, ServerId> tallies;
  private Consumer<SimClient> achievements = client -> {};
  private boolean calm;
  private boolean closing;

  World(
      int nodes,
      FaultPlan plan,
      Entropy entropy,
      Hazards hazards,
      Trace trace,
      Workload workload,
      WireTypes types,
      SimNetwork.Receiver receiver) {
    this.plan = plan;
    this.entropy = entropy;
    this.hazards = hazards;
    this.rogueRights =
        hazards.has(Hazard.ROGUE)
            ? SimByzantineClient.rights(hazards)
            : Rights.of(List.of(), List.of());
    this.trace = trace;
    this.workload = workload;
    this.frames = new SimWire(new FrameCodec(types, WireLimits.AUTHENTICATED));
    this.records = new StateCodec(types);
    this.network = new SimNetwork(nodes, events, entropy.fork(1), plan, stats, receiver);
  }

  /** These lie from now on. */
  void setLiars(ServerSet lying) {
    liars = lying;
    everFaulty = everFaulty.union(lying);
    workload.onLiars(lying);
  }

  ServerSet liars() {
    return liars;
  }

  /** This one counts among the faulty for a while. */
  void markFaulty(ServerId server) {
    everFaulty = everFaulty.with(server);
  }

  /** Whether a server has neither lied nor lost what it knew so far. */
  boolean isCorrect(ServerId server) {
    return !everFaulty.contains(server);
  }

  boolean isCalm() {
    return calm;
  }

  /** Whether all that was to be done is done. */
  boolean isClosing() {
    return closing;
  }

  void close() {
    closing = true;
  }

  void becomeCalm() {
    calm = true;
    network.heal();
  }

  /** Somebody wants to know whenever a client counts what a server says. */
  void onCounted(@Nullable BiConsumer<SimClient, ServerId> listener) {
    tallies = listener;
  }

  boolean isListening() {
    return tallies != null;
  }

  void counted(SimClient client, ServerId from) {
    if (tallies != null) {
      tallies.accept(client, from);
    }
  }

  /** Whether a principal may say this to a server: a gateway would ask, too. */
  boolean allows(String principal, Message message) {
    return !principal.equals(SimByzantineClient.PRINCIPAL)
        || (message instanceof Guarded guarded && guarded.isAllowed(rogueRights, principal));
  }

  /** Weighs a machine now and then that somebody tries to make grow. */
  void checkFootprint(String name, long steps, Machine<?> machine, long maxBytes) {
    if (steps % STEPS_PER_WEIGHING != 0) {
      return;
    }
    long bytes = scales.weighAll(machine);
    stats.weighed(bytes);
    if (bytes > maxBytes) {
      throw Violation.liveness(
          "%s keeps about %,d bytes, and should not keep more than %,d"
              .formatted(name, bytes, maxBytes));
    }
  }

  /** Somebody wants to know whenever a call of a client succeeds. */
  void onAchieved(Consumer<SimClient> listener) {
    achievements = listener;
  }

  void achieved(SimClient client) {
    achievements.accept(client);
  }

  void send(Parcel parcel) {
    network.send(parcel);
  }
}
