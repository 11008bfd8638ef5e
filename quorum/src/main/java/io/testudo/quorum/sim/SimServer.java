package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.runtime.Host;
import io.testudo.quorum.runtime.HostListener;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.wire.Envelope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A correct server: it may crash at any write, and comes back with what it made durable. */
final class SimServer extends SimNode {
  private static final FaultKind[] CRASHES = {
    FaultKind.CRASH_KEPT, FaultKind.CRASH_LOST_TAIL, FaultKind.CRASH_TORN
  };
  private static final long LONGEST_DOWN_NANOS = 300_000_000L;

  private final ServerId id;
  private final Clients clients;
  private final SimDisk disk;
  private SimDisk.@Nullable Session session;
  private @Nullable Host<ClientId> host;
  private @Nullable Machine<ClientId> machine;

  SimServer(World world, ServerId id, Clients clients) {
    super(world, id.index(), id.toString(), FaultKind.SERVER_PAUSE);
    this.id = id;
    this.clients = clients;
    this.disk = new SimDisk(world.events, entropy.fork(1));
  }

  /** Starts, unless it is up. */
  void start() {
    if (host != null) {
      return;
    }
    note("starts");
    Machine<ClientId> fresh = world.workload.newServer(id, entropy.fork(2));
    long thisLife = life();
    SimDisk.Session opened = disk.new Session(this::atWrite, task -> whenAwakeIn(thisLife, task));
    Host<ClientId> started =
        new Host<>(
            fresh,
            new Outbox<>(
                client -> new ClientId(client.principal(), client.session(), 0),
                ClientId::handle,
                this::ship),
            Ledger.on(opened, world.records, world.plan.smallestLogBytes()),
            clock,
            this,
            new Watcher());
    machine = fresh;
    session = opened;
    host = started;
    started.start();
  }

  private void ship(ClientId connection, List<Envelope> envelopes) {
    for (Envelope envelope : envelopes) {
      ClientId to = new ClientId(connection.principal(), connection.session(), envelope.handle());
      world.workload.onServerSends(id, life(), to, envelope.message());
    }
    for (byte[] frame : world.frames.pack(envelopes)) {
      world.send(new Parcel(index, clients.node(connection), connection.session(), frame, false));
    }
  }

  private void atWrite() {
    if (!world.isCalm() && entropy.chance(world.plan.crashAtWrite())) {
      world.stats.fault(FaultKind.CRASH_AT_WRITE);
      crash();
    }
  }

  ServerId id() {
    return id;
  }

  /** Dies, if it may, and comes back after a while. */
  void crash() {
    crash(LONGEST_DOWN_NANOS);
  }

  /** Dies, if it may, and comes back within so long. */
  void crash(long longestDownNanos) {
    Host<ClientId> dying = host;
    SimDisk.Session closing = session;
    if (dying == null || closing == null || !world.workload.mayDie(id)) {
      return;
    }
    FaultKind fate = CRASHES[entropy.nextInt(CRASHES.length)];
    world.stats.fault(fate);
    note("dies: " + fate.meaning());
    host = null;
    dying.stop();
    closing.close();
    disk.crash(fate);
    endLife();
    world.events.after(1 + entropy.nextLong(longestDownNanos), this::start);
  }

  @Override
  void arrive(Parcel parcel) {
    if (host != null) {
      whenAwake(() -> receive(parcel));
    }
  }

  private void receive(Parcel parcel) {
    String principal = clients.principal(parcel.from());
    for (Envelope envelope : Gateway.open(this, parcel)) {
      Host<ClientId> running = host;
      if (running != null && machine != null && machine.handles(envelope.message())) {
        running.receive(
            new ClientId(principal, parcel.session(), envelope.handle()), envelope.message());
      }
    }
  }

  private final class Watcher implements HostListener<ClientId> {
    @Override
    public void stepped(Input<ClientId> input, List<Effect<ClientId>> effects) {
      world.stats.step();
      world.trace.step(world.events.nowNanos(), name, input, effects);
      if (machine != null) {
        world.workload.afterServerStep(id, life() + 1, machine);
      }
    }

    @Override
    public void told(Event event) {
      world.trace.note(world.events.nowNanos(), name, () -> "tells " + event);
      world.workload.onServerTells(id, event);
    }

    @Override
    public void broken(Throwable cause) {
      throw Violation.of(name, cause);
    }
  }
}
