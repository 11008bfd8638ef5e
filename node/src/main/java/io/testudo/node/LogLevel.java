package io.testudo.node;

import io.testudo.node.log.Logging;
import java.util.List;

/** How much is logged; {@link Logging} reads the property. */
final class LogLevel {
  static final String PROPERTY = Logging.LEVEL_PROPERTY;
  private static final String VERBOSE_LEVEL = "INFO";

  private LogLevel() {}

  /** The property, if its user has set it, counts more than the option. */
  static void set(List<String> args) {
    if (args.contains(CommonOptions.VERBOSE) && System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, VERBOSE_LEVEL);
    }
  }
}
