package io.testudo.bench.counts;

import com.sun.management.ThreadMXBean;
import io.testudo.bench.virtual.MessageBytes;
import io.testudo.bench.virtual.SimulatedMachine;
import io.testudo.bench.virtual.VirtualNetwork;
import io.testudo.bench.virtual.VirtualTime;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import java.lang.management.ManagementFactory;

/** Clients that do one operation again and again, in virtual time. */
final class CountedRun {
  private static final long WALL_MILLIS = 1_000_000_000_000L;
  private static final long ROUND_TRIP_NANOS = 1_000_000L;
  private static final double SHORTEST_WAY = 0.4;
  private static final double LONGEST_WAY = 0.6;

  private final CountedOperation operation;
  private final Entropy entropy = Entropy.seeded(17);
  private final VirtualTime time = new VirtualTime(WALL_MILLIS);
  private final VirtualNetwork network;
  private long ended;

  private CountedRun(CountedOperation operation) {
    this.operation = operation;
    Entropy delays = entropy.fork(1);
    this.network =
        new VirtualNetwork(
            time,
            (client, server) ->
                (long)
                    (ROUND_TRIP_NANOS
                        * (SHORTEST_WAY + (LONGEST_WAY - SHORTEST_WAY) * delays.nextDouble())),
            true);
    for (ServerId server : ServerSet.firstN(CountedOperation.SERVERS)) {
      var unused = network.serve(server, operation.server(server, entropy.fork(server.index())));
    }
    for (int i = 0; i < operation.clients(); i++) {
      Caller caller = new Caller(i);
      time.after(entropy.nextLong(ROUND_TRIP_NANOS), caller::begin);
    }
  }

  /** What one operation costs on average, after a warm-up. */
  record Costs(double messages, double bytes, double allocatedBytes) {}

  static Costs of(CountedOperation operation, int operations) {
    CountedRun counted = new CountedRun(operation);
    counted.run(operations / 2);
    counted.network.measureBy(new MessageBytes(operation.types()));
    long messagesBefore = counted.network.messages();
    counted.run(operations);
    double messages = (double) (counted.network.messages() - messagesBefore) / operations;
    double bytes = (double) counted.network.bytes() / operations;
    return new Costs(messages, bytes, allocated(operation, operations));
  }

  /** All that clients, servers and the network allocate; classes are loaded in the warm-up. */
  private static double allocated(CountedOperation operation, int operations) {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    CountedRun run = new CountedRun(operation);
    run.run(operations);
    long before = threads.getCurrentThreadAllocatedBytes();
    run.run(operations);
    return (double) (threads.getCurrentThreadAllocatedBytes() - before) / operations;
  }

  private void run(int operations) {
    long until = ended + operations;
    while (ended < until) {
      if (!time.runNext()) {
        throw new IllegalStateException("a run has no end: " + operation);
      }
    }
  }

  private final class Caller implements SimulatedMachine.Surroundings<ServerId> {
    private final ClientId id;
    private final SimulatedMachine<ServerId> machine;
    private long calls;

    Caller(int number) {
      Entropy chance = entropy.fork(100 + number);
      this.id = new ClientId("client" + number, chance.nextLong(), 0);
      this.machine = network.join(id, operation.client(id, chance), this);
    }

    void begin() {
      call(operation.call());
    }

    private void call(Call<?> call) {
      machine.take(new Input.Called<>(new CallId<>(++calls), call));
    }

    @Override
    public void send(ServerId to, Message message) {
      network.carry(id, to, message);
    }

    @Override
    public void completed(long call, Object result) {
      if (result instanceof Boolean) {
        return; // It was released.
      }
      ended++;
      // In this instant, but after the step that completed it.
      time.after(
          0,
          () -> {
            if (result instanceof Held held) {
              call(new ReleaseCall(held.lock(), held.token()));
            }
            time.after(operation.idleNanos(), this::begin);
          });
    }

    @Override
    public void failed(long call, Throwable reason) {
      throw new IllegalStateException("a call failed", reason);
    }
  }
}
