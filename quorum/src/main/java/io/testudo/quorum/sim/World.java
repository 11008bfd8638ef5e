package io.testudo.quorum.sim;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireTypes;

/** What all nodes of a run share. */
final class World {
  final EventQueue events = new EventQueue();
  final RunStats stats = new RunStats();
  final FaultPlan plan;
  final Entropy entropy;
  final Trace trace;
  final Workload workload;
  final SimWire frames;
  final StateCodec records;
  final SimNetwork network;
  private ServerSet liars = ServerSet.none();
  private boolean calm;

  World(
      int nodes,
      FaultPlan plan,
      Entropy entropy,
      Trace trace,
      Workload workload,
      WireTypes types,
      SimNetwork.Receiver receiver) {
    this.plan = plan;
    this.entropy = entropy;
    this.trace = trace;
    this.workload = workload;
    this.frames = new SimWire(new FrameCodec(types, WireLimits.AUTHENTICATED));
    this.records = new StateCodec(types);
    this.network = new SimNetwork(nodes, events, entropy.fork(1), plan, stats, receiver);
  }

  void setLiars(ServerSet lying) {
    liars = lying;
  }

  boolean isCorrect(ServerId server) {
    return !liars.contains(server);
  }

  boolean isCalm() {
    return calm;
  }

  void becomeCalm() {
    calm = true;
    network.heal();
  }

  void send(Parcel parcel) {
    network.send(parcel);
  }
}
