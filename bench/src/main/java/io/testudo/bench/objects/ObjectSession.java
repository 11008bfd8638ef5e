package io.testudo.bench.objects;

import io.testudo.bench.cluster.ConnectedClients;
import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Session;
import io.testudo.bench.objects.CounterModel.Counter;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.client.OrderingClient;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.log.OpId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.netty.OngoingCall;
import io.testudo.quorum.netty.Traffic;
import io.testudo.quorum.runtime.CallListener;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Clients that increment one counter. Figures of a counter that loses increments, or counts them
 * twice, would not mean anything: each client sees the count grow, and in the end it is as many as
 * all have done.
 */
final class ObjectSession implements Session {
  private static final long TIMEOUT_NANOS = Duration.ofSeconds(20).toNanos();
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ObjectContestant contestant;
  private final String object;
  private final CounterModel model;
  private final ConnectedClients connected;
  private final List<ClientMachine> machines = new ArrayList<>();
  private final List<Incrementer> incrementers = new ArrayList<>();
  private Traffic before = new Traffic(0, 0, 0);

  private ObjectSession(ObjectContestant contestant) {
    this.contestant = contestant;
    this.connected = contestant.clients();
    this.object = ObjectContestant.PREFIX + "-" + Long.toHexString(RANDOM.nextLong());
    this.model = new CounterModel(contestant.setup().stateBytes());
  }

  static ObjectSession connect(ObjectContestant contestant, int clients) throws IOException {
    ObjectSession session = new ObjectSession(contestant);
    try {
      ObjectSetup setup = contestant.setup();
      for (int i = 0; i < setup.sharing().sessions(clients); i++) {
        session.connectOne();
      }
      for (int i = 0; i < clients; i++) {
        session.incrementers.add(session.incrementer(i));
      }
      session.before = session.connected.traffic();
      return session;
    } catch (IOException | RuntimeException e) {
      session.connected.close();
      throw e;
    }
  }

  private void connectOne() throws IOException {
    NettyClient client = connected.connect();
    ObjectSetup setup = contestant.setup();
    ClientMachine machine =
        client.start(
            new OrderingClient(
                setup.thresholds(),
                setup.mode(),
                OrderTiming.standard(),
                OpId.sessionOf(client.principal(), client.session()),
                contestant.seals(),
                RANDOM::nextLong),
            event -> {});
    machines.add(machine);
    awaitConnections(client, machine, setup.thresholds().servers());
  }

  private Incrementer incrementer(int client) {
    return new Incrementer(
        machines.get(client % machines.size()),
        new SubmitOperation(object, model, CounterModel.INCREMENT, TIMEOUT_NANOS));
  }

  /** No operation may be measured that waited for a connection: asks until all are there. */
  private void awaitConnections(NettyClient client, ClientMachine machine, int servers)
      throws IOException {
    long startNanos = System.nanoTime();
    while (true) {
      long unused = read(machine);
      if (client.connections() == servers) {
        return;
      }
      if (System.nanoTime() - startNanos > TIMEOUT_NANOS) {
        throw new IOException(
            "%d of %d servers are connected".formatted(client.connections(), servers));
      }
    }
  }

  private long read(ClientMachine machine) throws IOException {
    try {
      return ((Counter) machine.call(new ReadObject(object, model, TIMEOUT_NANOS)).join().state())
          .count();
    } catch (CompletionException e) {
      throw new IOException("the counter could not be read", e);
    }
  }

  @Override
  public void start(int client, Completion completion) {
    incrementers.get(client).start(completion);
  }

  /**
   * Ends all clients.
   *
   * @throws MeasurementException if the counter is not what all have counted
   */
  @Override
  public void close() throws IOException {
    try {
      if (incrementers.stream().allMatch(client -> client.completion == null)) {
        long done = incrementers.stream().mapToLong(client -> client.done).sum();
        contestant.used(new Usage(done, connected.traffic().minus(before)));
        long count = read(machines.get(0));
        if (count != done) {
          throw new MeasurementException(
              "%d increments were answered, and the count is %d".formatted(done, count), null);
        }
      }
    } finally {
      connected.close();
    }
  }

  /** One client; it has one operation under way at a time. */
  private static final class Incrementer implements CallListener<OperationResult> {
    private final ClientMachine machine;
    private final SubmitOperation increment;

    /** Also guards the others: whoever sees it null sees what came before. */
    private volatile @Nullable Completion completion;

    private long done;
    private long lastCount;

    Incrementer(ClientMachine machine, SubmitOperation increment) {
      this.machine = machine;
      this.increment = increment;
    }

    void start(Completion whenDone) {
      completion = whenDone;
      OngoingCall unused = machine.call(increment, this);
    }

    @Override
    public void completed(OperationResult result) {
      Completion ended = completion();
      long count = CounterModel.count(result.result());
      if (count <= lastCount) {
        ended.failed(new MeasurementException("the count did not grow", null));
        return;
      }
      lastCount = count;
      done++;
      completion = null;
      ended.done();
    }

    @Override
    public void failed(TestudoException reason) {
      completion().failed(reason);
    }

    /**
     * Stays after a failure: the count is not checked if the outcome of an operation is unknown.
     */
    private Completion completion() {
      Completion present = completion;
      if (present == null) {
        throw new IllegalStateException("nobody asked for this");
      }
      return present;
    }
  }
}
