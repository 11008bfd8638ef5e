package io.testudo.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Shows what papers claim of a protocol beside what the protocol here does; found by {@link
 * java.util.ServiceLoader}. {@code testudo simulate --protocol NAME --reproduce} runs it.
 */
public interface Reproduction {
  /** What {@code --protocol} takes. */
  String protocol();

  /**
   * Prints all tables.
   *
   * @return whether all claims hold
   */
  boolean run(Settings settings, Output output) throws IOException;

  /**
   * How to do it.
   *
   * @param quick short runs, for a look
   * @param figures where plots are to be written, if they are
   */
  record Settings(boolean quick, long seed, Optional<Path> figures) {}
}
