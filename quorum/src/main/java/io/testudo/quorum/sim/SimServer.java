package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.runtime.Host;
import io.testudo.quorum.runtime.HostListener;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.WireException;
import java.util.ArrayList;
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
  private long steps;

  /** Lost its disk and was not readmitted yet, or lies by now. */
  private boolean isOut;

  SimServer(World world, ServerId id, Clients clients) {
    super(world, id.index(), id.toString(), FaultKind.SERVER_PAUSE);
    this.id = id;
    this.clients = clients;
    this.disk = new SimDisk(world.events, entropy.fork(1));
  }

  /** Starts, unless it is up. */
  void start() {
    if (host != null || isOut) {
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
    for (SimFrame frame : world.frames.pack(envelopes)) {
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
    if (host == null || !world.workload.mayDie(id)) {
      return;
    }
    FaultKind fate = CRASHES[entropy.nextInt(CRASHES.length)];
    world.stats.fault(fate);
    note("dies: " + fate.meaning());
    end(fate);
    world.events.after(1 + entropy.nextLong(longestDownNanos), this::start);
  }

  private void end(FaultKind fate) {
    Host<ClientId> dying = host;
    SimDisk.Session closing = session;
    host = null;
    if (dying != null && closing != null) {
      dying.stop();
      closing.close();
    }
    disk.crash(fate);
    endLife();
  }

  /** Loses all that it ever knew, and is readmitted after a while. */
  void loseDisk(long downNanos) {
    world.stats.fault(FaultKind.DISK_LOSS);
    note("loses its disk");
    isOut = true;
    end(FaultKind.CRASH_LOST_TAIL);
    disk.format(List.of());
    world.markFaulty(id);
    world.workload.onServerLost(id);
    world.events.after(downNanos, this::comeBack);
  }

  private void comeBack() {
    Moment now = new Moment(clock.nanos(), clock.wallMillis());
    List<StateRecord> first = world.workload.readmitted(id, now);
    disk.format(first.stream().map(world.records::encode).toList());
    isOut = false;
    start();
  }

  /** Whether it is up and would count as correct after a crash, though it lost its disk before. */
  boolean isRestored() {
    return host != null
        && machine != null
        && disk.isSynced()
        && world.workload.isRestored(id, machine);
  }

  /** An operator tells it what it needs to know after it was readmitted, if it is up. */
  void hearOperator() {
    Host<ClientId> running = host;
    if (running != null && machine != null) {
      ClientId operator = new ClientId(clients.anyPrincipal(), 0, 0);
      world
          .workload
          .toldByOperator(id, machine)
          .ifPresent(message -> running.receive(operator, message));
    }
  }

  /** Leaves its place for good, and gives what is on its disk to who takes it. */
  List<StateRecord> retire() {
    isOut = true;
    end(FaultKind.CRASH_KEPT);
    return copyOfDisk();
  }

  /** What is on its disk. */
  List<StateRecord> copyOfDisk() {
    try {
      List<StateRecord> records = new ArrayList<>();
      for (byte[] record : disk.records()) {
        records.add(world.records.decode(record));
      }
      return records;
    } catch (WireException e) {
      throw new IllegalStateException("what a server has stored cannot be read", e);
    }
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
      if (running != null
          && machine != null
          && machine.handles(envelope.message())
          && world.allows(principal, envelope.message())) {
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
        if (world.hazards.has(Hazard.ROGUE) || world.hazards.has(Hazard.HOARDING)) {
          world.checkFootprint(name, ++steps, machine, world.workload.maxServerBytes());
        }
      }
    }

    @Override
    public void told(Event event) {
      world.trace.note(world.events.nowNanos(), name, () -> "tells " + event);
      world.workload.onServerEvent(id, event);
    }

    @Override
    public void broken(Throwable cause) {
      throw Violation.of(name, cause);
    }
  }
}
