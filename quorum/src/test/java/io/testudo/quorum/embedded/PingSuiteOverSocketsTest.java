package io.testudo.quorum.embedded;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.pinging.PingSimulation;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.spi.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The suite on real sockets, with a server that restarts. */
class PingSuiteOverSocketsTest extends PingSuite {
  private static final int CLIENTS = 3;
  private static final int OPERATIONS = 7;
  private static final ServerId RESTARTED = new ServerId(2);

  /** A hang guard: real time passes as the machine's load lets it. */
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(100);

  PingSuiteOverSocketsTest() {
    super(new PingSimulation(TIMEOUT_NANOS));
  }

  @Override
  Optional<Violation> run(ScenarioSettings settings) {
    Workload workload = settings.protocol().workload(settings);
    Map<ServerId, Machine<ClientId>> machines = new ConcurrentHashMap<>();
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            settings.thresholds().servers(),
            settings.protocol().types(),
            id -> {
              Machine<ClientId> machine = workload.newServer(id, Entropy.seeded(id.index()));
              machines.put(id, machine);
              return List.of(machine);
            })) {
      machines.forEach((id, machine) -> workload.afterServerStep(id, 1, machine));
      operate(cluster, settings, workload, "before");
      cluster.stop(RESTARTED);
      cluster.restart(RESTARTED);
      machines.forEach(
          (id, machine) -> workload.afterServerStep(id, id.equals(RESTARTED) ? 2 : 1, machine));
      operate(cluster, settings, workload, "after");
      workload.atEnd();
      return Optional.empty();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Violation violation) {
        return Optional.of(violation);
      }
      throw e;
    }
  }

  /** On one loop, so that the workload's checks see one thing after the other. */
  private static void operate(
      EmbeddedCluster cluster, ScenarioSettings settings, Workload workload, String principal) {
    NettyClient client = cluster.client(principal);
    // All is well only when there are connections.
    while (client.connections() < settings.thresholds().servers()) {
      Thread.onSpinWait();
    }
    List<Application> applications = new ArrayList<>();
    for (int handle = 1; handle <= CLIENTS; handle++) {
      ClientId self = new ClientId(principal, 1, handle);
      Entropy entropy = Entropy.seeded(handle);
      ClientMachine machine = client.start(workload.newClient(self, entropy), event -> {});
      applications.add(new Application(self, entropy, machine, workload));
    }
    applications.forEach(Application::start);
    applications.forEach(application -> application.finished.join());
  }

  private static final class Application implements ClientPort {
    final CompletableFuture<Void> finished = new CompletableFuture<>();
    private final ClientId self;
    private final Entropy entropy;
    private final ClientMachine machine;
    private final Workload workload;
    private int done;

    Application(ClientId self, Entropy entropy, ClientMachine machine, Workload workload) {
      this.self = self;
      this.entropy = entropy;
      this.machine = machine;
      this.workload = workload;
    }

    void start() {
      workload.operate(this, this::next);
    }

    private void next() {
      if (++done == OPERATIONS) {
        finished.complete(null);
      } else {
        start();
      }
    }

    @Override
    public ClientId self() {
      return self;
    }

    @Override
    public long trueNanos() {
      return System.nanoTime();
    }

    @Override
    public Entropy entropy() {
      return entropy;
    }

    @Override
    public boolean isCalm() {
      return true;
    }

    @Override
    public Ticker clock() {
      throw new UnsupportedOperationException("the ping's workload reads no clock");
    }

    @Override
    public <R> Pending call(Call<R> call, CallListener<R> whenDone) {
      machine.call(
          call,
          new CallListener<R>() {
            @Override
            public void completed(R result) {
              checked(() -> whenDone.completed(result));
            }

            @Override
            public void failed(TestudoException reason) {
              checked(() -> whenDone.failed(reason));
            }
          });
      return () -> {
        throw new UnsupportedOperationException("the ping's workload gives nothing up");
      };
    }

    /** Our own checks are not the machine's invariants. */
    private void checked(Runnable check) {
      try {
        check.run();
      } catch (Violation violation) {
        finished.completeExceptionally(violation);
      }
    }

    @Override
    public void after(long delayNanos, Runnable task) {
      throw new UnsupportedOperationException("the ping's workload waits for nothing");
    }

    @Override
    public void note(String what) {}
  }
}
