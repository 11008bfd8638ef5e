package io.testudo.bench.rings;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.ReproducedResults;
import io.testudo.bench.report.RunRecord;
import io.testudo.bench.report.TerminalProgress;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.node.Output;
import io.testudo.node.Reproduction;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The experiments of the papers on mutexes over a distributed hash table, on both routings. */
public final class RingReproduction implements Reproduction {
  /** For the service loader. */
  public RingReproduction() {}

  @Override
  public String protocol() {
    return "dht";
  }

  @Override
  public boolean run(Settings settings, Output output) throws IOException {
    return run(settings.quick() ? RingPlan.quick() : RingPlan.full(), settings, output);
  }

  boolean run(RingPlan plan, Settings settings, Output output) throws IOException {
    RunRecord record = ReproducedResults.begin(protocol(), settings);
    ImmutableList.Builder<RingTable> all = ImmutableList.builder();
    for (Routings routing : Routings.values()) {
      all.add(new PaperFigures(plan, routing));
    }
    all.add(new FailureTables(plan), new ZoneTables(plan));
    ImmutableList<RingTable> tables = all.build();
    List<Runnable> runs = new ArrayList<>();
    tables.forEach(table -> table.addRuns(runs, settings.seed()));
    makeAll(runs);
    boolean holds = true;
    BenchOutput results = ReproducedResults.open(record, settings, output);
    for (RingTable table : tables) {
      boolean isAsClaimed = table.print(results);
      results.verdict(
          table.claims(), isAsClaimed, isAsClaimed ? "all claims hold" : "some claims do not hold");
      holds &= isAsClaimed;
    }
    output.text(holds ? "All claims hold." : "Some claims do not hold: see above.");
    if (settings.figures().isPresent()) {
      Files.createDirectories(settings.figures().get());
      for (RingTable table : tables) {
        table.plot(settings.figures().get());
      }
      results.finish();
    }
    return holds;
  }

  /** On as many threads as there are processors. */
  private static void makeAll(List<Runnable> runs) {
    AtomicInteger next = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    try (TerminalProgress progress = TerminalProgress.onTerminal("")) {
      progress.expect(runs.size());
      IntStream.range(0, runs.size())
          .parallel()
          .forEach(
              unused -> {
                runs.get(next.getAndIncrement()).run();
                progress.ended("%d of %d runs".formatted(done.incrementAndGet(), runs.size()), 1);
              });
    }
  }
}
