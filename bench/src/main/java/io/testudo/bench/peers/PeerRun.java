package io.testudo.bench.peers;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Load;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Round;
import io.testudo.bench.measure.Session;
import io.testudo.bench.measure.Spread;
import io.testudo.bench.peers.PeerColumn.Cell;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures systems beside each other: all their servers run, and in each column they take turns,
 * round by round. One that fails is told of, and the others go on.
 */
final class PeerRun {
  private static final Splitter SPACES = Splitter.on(' ').omitEmptyStrings();
  private static final int FIGURES = 5;

  /** More at a time would only wait for each other. */
  private static final int STARTS_AT_A_TIME = 4;

  /** A column begins with a part of a round that is not counted. */
  private static final int UNCOUNTED_PART = 2;

  private final Plan plan;
  private final Patience patience;
  private final RunGuard guard;
  private final OtherLoad otherLoad;
  private final Remaining remaining;
  private final TimeBudget budget;
  private final Consumer<String> progress;
  private final Consumer<String> troubles;
  private final Map<Peer, Driven> running = new LinkedHashMap<>();

  /**
   * How long a driver may take before it counts as hung.
   *
   * @param start for its servers to start
   * @param open for its callers to connect, and to be checked and dismissed
   * @param drain after the end of a round
   */
  record Patience(Duration start, Duration open, Duration drain) {
    /** Generous: guards against a hang on a loaded machine, not expectations. */
    static Patience standard() {
      return new Patience(
          Duration.ofSeconds(240),
          Duration.ofSeconds(90),
          Duration.ofNanos(Load.DRAIN_NANOS).plusSeconds(15));
    }
  }

  private record Driven(DriverProcess process, String version) {}

  /**
   * Measures nothing yet.
   *
   * @param budget leaves warm-ups out that it has no time for
   * @param progress is told what begins, for people who wait
   * @param troubles is told what went wrong
   */
  PeerRun(
      Plan plan,
      Patience patience,
      RunGuard guard,
      OtherLoad otherLoad,
      Remaining remaining,
      TimeBudget budget,
      Consumer<String> progress,
      Consumer<String> troubles) {
    this.plan = plan;
    this.patience = patience;
    this.guard = guard;
    this.otherLoad = otherLoad;
    this.remaining = remaining;
    this.budget = budget;
    this.progress = progress;
    this.troubles = troubles;
  }

  /** How long it takes at least, if all goes well, without the starts. */
  static long dutyNanos(Plan plan, List<Peer> peers, List<PeerWork> columns) {
    long nanos = 0;
    for (Peer peer : peers) {
      long able = columns.stream().filter(peer::can).count();
      nanos += able * (plan.rounds() * plan.roundNanos() + plan.roundNanos() / UNCOUNTED_PART);
      for (Sharing sharing : Sharing.values()) {
        List<PeerWork> part = columns.stream().filter(it -> it.sharing() == sharing).toList();
        nanos += plan.warmUpNanos() * WarmUp.LEAST_RUNS * PeerCases.warmUps(peer, part).size();
      }
    }
    return nanos;
  }

  /**
   * Starts systems, several at a time: most of that is waiting for elections.
   *
   * @param commands of each
   * @return the versions of those that started, in their order
   */
  Map<Peer, String> start(Map<Peer, ? extends List<String>> commands)
      throws IOException, InterruptedException {
    ExecutorService starters = Executors.newFixedThreadPool(STARTS_AT_A_TIME);
    try {
      Map<Peer, Future<@Nullable Driven>> starts = new LinkedHashMap<>();
      commands.forEach(
          (peer, command) -> starts.put(peer, starters.submit(() -> start(peer, command))));
      Map<Peer, String> versions = new LinkedHashMap<>();
      for (Map.Entry<Peer, Future<@Nullable Driven>> start : starts.entrySet()) {
        progress.accept(start.getKey().name() + " starts");
        Driven driven = start.getValue().get();
        if (driven != null) {
          running.put(start.getKey(), driven);
          versions.put(start.getKey(), driven.version());
        }
      }
      return versions;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      starters.shutdownNow();
    }
  }

  private @Nullable Driven start(Peer peer, List<String> command)
      throws IOException, InterruptedException {
    DriverProcess process = guard.launch(peer.name(), command);
    try {
      String version =
          process.tell(
              PeerDriver.START + " " + guard.path().resolve(peer.name()),
              PeerDriver.READY,
              patience.start());
      return new Driven(process, version);
    } catch (DriverException e) {
      process.kill();
      tell(e);
      return null;
    }
  }

  /** How many systems run. */
  int running() {
    return running.size();
  }

  /**
   * Has each system work until it gets no faster: the code of each of its servers has to be
   * compiled, in a process of its own. They take turns, so that what time there is is for all, and
   * compilers catch up meanwhile.
   *
   * @param columns that are measured next
   * @param share of the time to spare that may be spent on these
   */
  void warmUp(List<PeerWork> columns, double share) throws InterruptedException {
    budget.spend(share);
    List<WarmUp> open = new ArrayList<>();
    for (Peer peer : plan.warmUpNanos() == 0 ? List.<Peer>of() : List.copyOf(running.keySet())) {
      PeerCases.warmUps(peer, columns).forEach(work -> open.add(new WarmUp(peer, work)));
    }
    while (!open.isEmpty()) {
      for (WarmUp one : open) {
        if (one.isDuty()) {
          one.ran(rateOf(one));
          passed(plan.warmUpNanos());
        } else if (budget.allows(plan.warmUpNanos())) {
          one.ran(rateOf(one));
        } else {
          return;
        }
      }
      open.removeIf(WarmUp::isOver);
    }
  }

  /** Something is over that has to be done in any case. */
  private void passed(long nanos) {
    remaining.passed(nanos);
    budget.done(nanos);
  }

  /** Gives the rate; 0 if it failed. */
  private double rateOf(WarmUp one) throws InterruptedException {
    if (!running.containsKey(one.peer())) {
      return 0;
    }
    progress.accept("%s warms up, %s".formatted(one.peer().name(), remaining.text()));
    Attempt attempt = new Attempt(one.peer());
    attempt.open(one.work());
    Round round = attempt.run(plan.warmUpNanos());
    attempt.close();
    return round == null ? 0 : round.opsPerSecond();
  }

  /** Measures one column. */
  PeerColumn measure(PeerWork work) throws InterruptedException {
    List<Attempt> attempts = new ArrayList<>();
    for (Peer peer : running.keySet()) {
      if (peer.can(work)) {
        attempts.add(new Attempt(peer));
      }
    }
    for (Attempt attempt : attempts) {
      show(work, attempt, "connects");
      attempt.open(work);
    }
    for (Attempt attempt : attempts) {
      show(work, attempt, "begins");
      // Not counted: caches and queues are those of the work before.
      Round unused = attempt.run(plan.roundNanos() / UNCOUNTED_PART);
      passed(plan.roundNanos() / UNCOUNTED_PART);
    }
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Attempt attempt : attempts) {
        show(work, attempt, "round %d of %d".formatted(round, plan.rounds()));
        OtherLoad.Sample before = otherLoad.sample();
        Round figures = attempt.run(plan.roundNanos());
        if (figures != null) {
          attempt.rounds.add(figures);
          OtherLoad.shareBetween(before, otherLoad.sample()).ifPresent(attempt.shares::add);
        }
        passed(plan.roundNanos());
      }
    }
    ImmutableList.Builder<Cell> cells = ImmutableList.builder();
    for (Attempt attempt : attempts) {
      attempt.close();
      cells.add(attempt.cell());
    }
    return new PeerColumn(work, cells.build());
  }

  private void show(PeerWork work, Attempt attempt, String what) {
    progress.accept(
        "%s %d %s: %s, %s, %s"
            .formatted(
                PeerCases.caseOf(work),
                work.callers(),
                PeerWork.word(work.use()),
                attempt.peer.name(),
                what,
                remaining.text()));
  }

  private void tell(DriverException failure) {
    // What an interrupt has ended did not fail.
    if (!guard.isInterrupted()) {
      troubles.accept(failure.reason());
    }
  }

  /** One system in one column. After the first failure nothing more is asked of it there. */
  private final class Attempt {
    private final Peer peer;
    private final Driven driven;
    private final List<Round> rounds = new ArrayList<>();
    private final List<Double> shares = new ArrayList<>();
    private @Nullable String failure;

    Attempt(Peer peer) {
      this.peer = peer;
      this.driven = Objects.requireNonNull(running.get(peer));
    }

    private @Nullable String tellDriver(String line, String word, Duration within)
        throws InterruptedException {
      if (failure != null) {
        return null;
      }
      try {
        return driven.process().tell(line, word, within);
      } catch (DriverException e) {
        fail(e);
        return null;
      }
    }

    private void fail(DriverException e) {
      failure = e.reason();
      tell(e);
      if (e.isOver()) {
        running.remove(peer);
      }
    }

    void open(PeerWork work) throws InterruptedException {
      String unused =
          tellDriver(PeerDriver.OPEN + " " + work.line(), PeerDriver.OPENED, patience.open());
    }

    @Nullable Round run(long nanos) throws InterruptedException {
      String line = PeerDriver.RUN + " " + nanos;
      String figures =
          tellDriver(line, PeerDriver.ROUND, patience.drain().plus(Duration.ofNanos(nanos)));
      if (figures == null) {
        return null;
      }
      try {
        return round(SPACES.splitToList(figures));
      } catch (IllegalArgumentException e) {
        fail(driven.process().nonsense(line, figures));
        return null;
      }
    }

    private static Round round(List<String> words) {
      if (words.size() != FIGURES) {
        throw new IllegalArgumentException("a round has %d figures".formatted(FIGURES));
      }
      return new Round(
          Long.parseLong(words.get(0)),
          Double.parseDouble(words.get(1)),
          Long.parseLong(words.get(2)),
          Long.parseLong(words.get(3)),
          Long.parseLong(words.get(4)));
    }

    void close() throws InterruptedException {
      String unused = tellDriver(PeerDriver.CLOSE, PeerDriver.CLOSED, patience.open());
    }

    Cell cell() {
      return new Cell(peer, driven.version(), failure == null ? result() : null, failure);
    }

    private Result result() {
      double[] others = shares.stream().mapToDouble(Double::doubleValue).toArray();
      return new Result(
          new Named(peer.name()),
          rounds.size(),
          spread(Round::opsPerSecond),
          spread(round -> round.p50Nanos() / (double) TimeUnit.MICROSECONDS.toNanos(1)),
          spread(round -> round.p99Nanos() / (double) TimeUnit.MICROSECONDS.toNanos(1)),
          spread(round -> round.maxNanos() / (double) TimeUnit.MICROSECONDS.toNanos(1)),
          others.length == 0
              ? OptionalDouble.empty()
              : OptionalDouble.of(Spread.of(others).median()));
    }

    private Spread spread(ToDoubleFunction<Round> figure) {
      return Spread.of(rounds.stream().mapToDouble(figure).toArray());
    }
  }

  /** In results: one that is measured elsewhere. */
  private record Named(String system) implements Contestant {
    @Override
    public @Nullable String mode() {
      return null;
    }

    @Override
    public Session open(int clients) {
      throw new UnsupportedOperationException("its driver measures it");
    }

    @Override
    public void close() {}
  }
}
