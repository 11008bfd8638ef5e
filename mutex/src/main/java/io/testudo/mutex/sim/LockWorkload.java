package io.testudo.mutex.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.Hazard;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.spi.Ticker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Applications that lock and unlock, whatever protocol is behind it. What must hold:
 *
 * <ul>
 *   <li>never do two contenders believe to hold one lock, be they of one process or of two;
 *   <li>the fencing tokens of successive holders grow;
 *   <li>who enters was let in by servers for this attempt;
 *   <li>a lease that ends by itself is told to be lost at once; a renewal never shortens one;
 *   <li>when all is well, whoever wants a lock gets it, and what was given back is free.
 * </ul>
 */
final class LockWorkload implements Workload {
  private static final long MILLI = 1_000_000L;

  /** Time for what chaos delayed, and for a word and its answer after it. */
  private static final long SETTLING_NANOS = 600 * MILLI;

  /** Time for all who still wait to have their turn. */
  private static final long CROWDED_SETTLING_NANOS = 10_000 * MILLI;

  private static final int CROWDED_OPERATIONS = 6;

  /** Four times what a server was seen to keep of three locks and of what a rogue has said. */
  private static final long MAX_SERVER_BYTES = 1 << 17;

  private final SimulatedLock backend;
  private final LockChecker checker;
  private final Map<ClientId, Ticker> clocks = new HashMap<>();
  private final Map<ServerId, Machine<ClientId>> servers = new HashMap<>();
  private final Set<Contention> waiting = new LinkedHashSet<>();
  private boolean isCrowded;
  private final List<GivenBack> givenBack = new ArrayList<>();

  /** A lock that was released while all was well. */
  private record GivenBack(String lock, long token) {}

  LockWorkload(SimulatedLock backend) {
    this.backend = backend;
    this.checker = new LockChecker(backend.fencesGrow());
  }

  LockChecker checker() {
    return checker;
  }

  @Override
  public void begin(Entropy entropy) {
    backend.begin(entropy);
  }

  @Override
  public void expose(ImmutableSet<Hazard> hazards) {
    isCrowded = hazards.contains(Hazard.STARVATION) && backend.beFair();
    if (hazards.contains(Hazard.ROGUE)) {
      backend.exchangeKeys();
    }
  }

  /** Whether all want one lock, and all the time. */
  boolean isCrowded() {
    return isCrowded;
  }

  @Override
  public boolean keepsBusy() {
    return isCrowded;
  }

  @Override
  public void meet(Consumer<ServerId> striker) {
    backend.meet(striker);
  }

  @Override
  public boolean mayDie(ServerId server) {
    return backend.mayDie(server);
  }

  @Override
  public boolean readmits() {
    return backend.readmits();
  }

  @Override
  public long maxServerBytes() {
    return MAX_SERVER_BYTES;
  }

  @Override
  public boolean losesWitnesses() {
    return true;
  }

  @Override
  public List<StateRecord> readmitted(ServerId server, Moment now) {
    return backend.readmitted(server, now);
  }

  @Override
  public Optional<Message> toldByOperator(ServerId server, Machine<ClientId> machine) {
    return backend.toldByOperator(server, servers);
  }

  @Override
  public boolean isRestored(ServerId server, Machine<ClientId> machine) {
    return backend.isRestored(machine);
  }

  @Override
  public boolean toleratesFarClocks() {
    return backend.toleratesFarClocks();
  }

  @Override
  public void onLiars(ServerSet liars) {
    liars.forEach(servers::remove);
  }

  @Override
  public Machine<ClientId> newServer(ServerId self, Entropy entropy) {
    return backend.newServer(self, entropy);
  }

  @Override
  public Machine<ServerId> newClient(ClientId self, Entropy entropy) {
    return backend.newClient(self, entropy);
  }

  @Override
  public Forger forger() {
    return backend.forger();
  }

  @Override
  public void operate(ClientPort port, Runnable done) {
    clocks.put(port.self(), port.clock());
    boolean several = port.entropy().chance(0.3) && !isCrowded;
    int contenders = several ? 2 + port.entropy().nextInt(2) : 1;
    int[] open = {contenders};
    for (int i = 0; i < contenders; i++) {
      new Contention(this, port, SimulatedLock.TIMING.maxHoldNanos(), () -> endOne(open, done))
          .begin();
    }
  }

  private static void endOne(int[] open, Runnable done) {
    open[0]--;
    if (open[0] == 0) {
      done.run();
    }
  }

  /** Somebody waits while all is well. */
  void waits(Contention contention) {
    waiting.add(contention);
  }

  /** Somebody waits no more. Others may have waited for too long. */
  void waitsNoMore(Contention contention) {
    waiting.remove(contention);
    waiting.forEach(Contention::checkTurns);
  }

  /** Notes what was released while all was well: it must be free everywhere at the end. */
  void givenBackInCalm(String lock, long token) {
    givenBack.add(new GivenBack(lock, token));
  }

  @Override
  public int closingOperations() {
    return isCrowded ? CROWDED_OPERATIONS : 2;
  }

  @Override
  public boolean wouldCount(Machine<ServerId> client, ServerId from, Message message) {
    return backend.wouldCount(client, from, message);
  }

  @Override
  public void afterClientStep(
      ClientId client, Machine<ServerId> machine, List<Effect<ServerId>> effects) {
    backend.checkClient(client, effects);
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.Complete<ServerId> complete
          && complete.result() instanceof Held held) {
        backend.checkEntry(client, machine, held.lock(), held.token());
        checker.entered(client, clockOf(client), held);
      } else if (effect instanceof Effect.Tell<ServerId> tell) {
        hear(client, tell.event());
      }
    }
  }

  private void hear(ClientId client, Event event) {
    if (event instanceof LeaseRenewed renewed) {
      checker.renewed(client, renewed.lock(), renewed.token(), renewed.term());
    } else if (event instanceof LeaseLost lost) {
      checker.left(client, lost.lock(), lost.token());
    }
  }

  private Ticker clockOf(ClientId client) {
    Ticker clock = clocks.get(client);
    if (clock == null) {
      throw new IllegalStateException(client + " enters without having asked");
    }
    return clock;
  }

  @Override
  public void afterServerStep(ServerId server, long starts, Machine<ClientId> machine) {
    servers.put(server, machine);
    backend.checkServer(server, machine);
  }

  @Override
  public void onServerSends(ServerId server, long life, ClientId to, Message message) {
    backend.onServerSends(server, to, message);
  }

  @Override
  public void onClientDies(ClientId client) {
    checker.died(client);
  }

  @Override
  public long settlingNanos() {
    return isCrowded ? CROWDED_SETTLING_NANOS : SETTLING_NANOS;
  }

  @Override
  public void atEnd() {
    for (GivenBack released : givenBack) {
      servers.forEach(
          (server, machine) -> {
            if (backend.isGranted(machine, released.lock(), released.token())) {
              throw Violation.liveness(
                  "%s keeps '%s' for token %d, which was given back"
                      .formatted(server, released.lock(), released.token()));
            }
          });
    }
  }
}
