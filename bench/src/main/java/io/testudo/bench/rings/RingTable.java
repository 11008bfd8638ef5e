package io.testudo.bench.rings;

import io.testudo.bench.report.BenchOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Some tables of the reproduction: what is to be run for them, and what they then say. */
interface RingTable {
  /** What is claimed in them, for the page. */
  String claims();

  /** Adds the runs; they may be made on any thread, in any order. */
  void addRuns(List<Runnable> runs, long seed);

  /** Prints the tables beside the claims. Whether all of these hold. */
  boolean print(BenchOutput output);

  /** Draws what there is to draw. */
  void plot(Path directory) throws IOException;
}
