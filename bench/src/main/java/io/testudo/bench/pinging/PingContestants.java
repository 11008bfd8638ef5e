package io.testudo.bench.pinging;

import io.testudo.bench.measure.Contestant;
import java.io.IOException;
import java.util.List;

/**
 * Systems whose pings are measured beside the floor. Found by {@link java.util.ServiceLoader}, so
 * that a new mode is one class and one line.
 */
public interface PingContestants {
  /** The words that {@code --mode} takes, in the order of the rows. None is called floor. */
  List<String> modes();

  /** Starts the servers of a mode, in a process of their own. */
  Contestant start(String mode, PingSetup setup) throws IOException, InterruptedException;
}
