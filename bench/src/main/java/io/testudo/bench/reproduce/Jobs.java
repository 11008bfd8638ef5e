package io.testudo.bench.reproduce;

import io.testudo.bench.report.TerminalProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Runs that do not depend on each other: one on each core, and the slow ones first. */
final class Jobs {
  private final List<Job> jobs = new ArrayList<>();

  /** A run whose figures are there when all have ended. */
  static final class Job implements Supplier<Figures> {
    private final double weight;
    private final Supplier<Figures> run;
    private Figures figures = new Figures(0, 0, 0, 0, 0);

    private Job(double weight, Supplier<Figures> run) {
      this.weight = weight;
      this.run = run;
    }

    @Override
    public Figures get() {
      return figures;
    }
  }

  /**
   * Adds a run.
   *
   * @param weight about how long it takes, beside the others
   */
  Supplier<Figures> add(double weight, Supplier<Figures> run) {
    Job job = new Job(weight, run);
    jobs.add(job);
    return job;
  }

  void runAll(TerminalProgress progress) {
    List<Job> slowFirst = new ArrayList<>(jobs);
    slowFirst.sort((one, other) -> Double.compare(other.weight, one.weight));
    jobs.forEach(job -> progress.expect(job.weight));
    AtomicInteger next = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    // Not a stream of the jobs: it would hand them out in halves, not in their order.
    IntStream.range(0, slowFirst.size())
        .parallel()
        .forEach(
            unused -> {
              Job job = slowFirst.get(next.getAndIncrement());
              job.figures = job.run.get();
              progress.ended(
                  "%d of %d runs".formatted(done.incrementAndGet(), jobs.size()), job.weight);
            });
  }
}
