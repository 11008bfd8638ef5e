package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.runtime.Host;
import io.testudo.quorum.runtime.HostListener;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.spi.Ticker;
import io.testudo.quorum.wire.Envelope;
import java.util.List;

/**
 * A client with its application: it makes one operation after the other while there is chaos, and
 * some more when all is well again. One that dies is followed by a new one with a new session.
 */
final class SimClient extends SimNode {
  private static final long HANDLE = 1;
  private static final double FAR_CLOCK_SHARE = 0.4;
  private static final long FARTHEST_MILLIS = 3 * 3_600_000L;
  private static final long LONGEST_THINKING_NANOS = 50_000_000L;
  private static final long LONGEST_REST_NANOS = 15_000_000_000L;

  private final Clients clients;
  private final int wantedInChaos;
  private int begunInChaos;
  private int doneInCalm;
  private boolean busy;
  private boolean restless;
  private long steps;
  private ClientId self;
  private Host<ServerId> host;
  private Machine<ServerId> machine;

  SimClient(World world, int node, Clients clients, int wantedInChaos) {
    super(world, node, clients.principal(node), FaultKind.CLIENT_PAUSE);
    this.clients = clients;
    this.wantedInChaos = wantedInChaos;
    if (world.hazards.has(Hazard.FAR_CLOCK)
        && world.workload.toleratesFarClocks()
        && world.hazards.entropy.chance(FAR_CLOCK_SHARE)) {
      clock.setFar(world.hazards.entropy.nextLong(2 * FARTHEST_MILLIS) - FARTHEST_MILLIS);
      world.stats.fault(FaultKind.FAR_CLOCK);
    }
    this.self = newSelf();
    this.machine = world.workload.newClient(self, entropy.fork(1));
    this.host = newHost();
  }

  /** Makes one operation after the other without a rest, from now on or no longer. */
  void setRestless(boolean isSo) {
    restless = isSo;
    if (isSo) {
      after(0, this::operate);
    }
  }

  boolean isFar() {
    return clock.isFar();
  }

  /** Sets the wall clock ahead, as far as others have to bear with it. */
  void setClockAhead() {
    long mostMillis = world.workload.mostAheadMillis() - world.plan.skewMillis();
    if (!clock.isFar() && mostMillis > 0) {
      clock.setAhead(world.hazards.entropy.nextLong(mostMillis));
      world.stats.fault(FaultKind.WALL_JUMP);
    }
  }

  private ClientId newSelf() {
    return new ClientId(clients.principal(index), entropy.nextLong(), HANDLE);
  }

  private Host<ServerId> newHost() {
    return new Host<>(
        machine,
        new Outbox<>(server -> server, server -> HANDLE, this::ship),
        Ledger.none(),
        clock,
        this,
        new Watcher());
  }

  private void ship(ServerId server, List<Envelope> envelopes) {
    for (SimFrame frame : world.frames.pack(envelopes)) {
      world.send(new Parcel(index, server.index(), self.session(), frame, false));
    }
  }

  void start() {
    host.start();
    think();
  }

  /** Dies with all it knew; somebody else takes its place. */
  void crash() {
    world.stats.fault(FaultKind.CLIENT_CRASH);
    note("dies");
    host.stop();
    endLife();
    world.workload.onClientDies(self);
    self = newSelf();
    machine = world.workload.newClient(self, entropy.fork(1));
    host = newHost();
    busy = false;
    start();
  }

  private void think() {
    boolean rests = world.hazards.isLong() && !restless && !world.isCalm() && entropy.chance(0.7);
    boolean hurries = world.isCalm() && world.workload.keepsBusy();
    long longest = hurries ? 1 : rests ? LONGEST_REST_NANOS : LONGEST_THINKING_NANOS;
    after(entropy.nextLong(longest), this::operate);
  }

  private void operate() {
    boolean idle = isFinished() && (!world.workload.keepsBusy() || world.isClosing());
    if (busy || idle || !(world.isCalm() || restless || begunInChaos < wantedInChaos)) {
      return;
    }
    busy = true;
    boolean calm = world.isCalm();
    if (!calm) {
      begunInChaos++;
    }
    world.stats.operation();
    world.workload.operate(new Port(), () -> done(calm));
  }

  private void done(boolean inCalm) {
    busy = false;
    if (inCalm) {
      doneInCalm++;
    }
    think();
  }

  /** Whether it has begun all that it was to do before all is well. */
  boolean isDoneWithChaos() {
    return begunInChaos >= wantedInChaos;
  }

  /** All is well from now on: go on with the closing operations. */
  void becomeCalm() {
    think();
  }

  boolean isFinished() {
    return doneInCalm >= world.workload.closingOperations();
  }

  @Override
  void arrive(Parcel parcel) {
    if (parcel.session() == self.session()) {
      whenAwake(() -> receive(parcel));
    }
  }

  private void receive(Parcel parcel) {
    ServerId from = new ServerId(parcel.from());
    for (Envelope envelope : Gateway.open(this, parcel)) {
      if (envelope.handle() != HANDLE || !machine.handles(envelope.message())) {
        continue;
      }
      boolean listened = parcel.isLie() || world.isListening();
      boolean counts = listened && world.workload.wouldCount(machine, from, envelope.message());
      if (parcel.isLie() && counts) {
        world.stats.lieCounted();
      }
      if (parcel.isLie() && world.workload.wouldHeed(machine, from, envelope.message())) {
        world.stats.lieHeeded(envelope.message().getClass().getSimpleName());
      }
      host.receive(from, envelope.message());
      if (counts) {
        world.counted(this, from);
      }
    }
  }

  /** The application's hands; they fall with the life that they belong to. */
  private final class Port implements ClientPort {
    private final ClientId me = self;
    private final Host<ServerId> mine = host;

    @Override
    public ClientId self() {
      return me;
    }

    @Override
    public long trueNanos() {
      return world.events.nowNanos();
    }

    @Override
    public Entropy entropy() {
      return entropy;
    }

    @Override
    public boolean isCalm() {
      return world.isCalm();
    }

    @Override
    public Ticker clock() {
      return clock;
    }

    @Override
    public boolean isClockRight() {
      return !clock.isFar();
    }

    @Override
    public <R> Pending call(Call<R> call, CallListener<R> whenDone) {
      CallId<R> id =
          mine.call(
              call,
              new CallListener<R>() {
                @Override
                public void completed(R result) {
                  world.achieved(SimClient.this);
                  after(0, () -> whenDone.completed(result));
                }

                @Override
                public void failed(TestudoException reason) {
                  after(0, () -> whenDone.failed(reason));
                }
              });
      return () -> mine.cancel(id);
    }

    @Override
    public void after(long delayNanos, Runnable task) {
      SimClient.this.after(delayNanos, task);
    }

    @Override
    public void note(String what) {
      SimClient.this.note(what);
    }
  }

  private final class Watcher implements HostListener<ServerId> {
    @Override
    public void stepped(Input<ServerId> input, List<Effect<ServerId>> effects) {
      world.stats.step();
      world.trace.step(world.events.nowNanos(), name, input, effects);
      world.workload.afterClientStep(self, machine, effects);
      if (world.hazards.has(Hazard.HOARDING)) {
        world.checkFootprint(name, ++steps, machine, world.workload.maxClientBytes());
      }
    }

    @Override
    public void told(Event event) {
      if (event instanceof Suspicion suspicion && world.isCorrect(suspicion.server())) {
        throw Violation.safety(self + " suspects a correct server: " + suspicion);
      }
      world.workload.onClientEvent(self, event);
    }

    @Override
    public void broken(Throwable cause) {
      throw Violation.of(name, cause);
    }
  }
}
