package io.testudo.node;

import java.util.List;

/** How much is logged; {@code logback.xml} reads the property. */
final class LogLevel {
  static final String PROPERTY = "testudo.log.level";
  private static final String VERBOSE_LEVEL = "INFO";

  private LogLevel() {}

  /** The property, if its user has set it, counts more than the option. */
  static void set(List<String> args) {
    if (args.contains(CommonOptions.VERBOSE) && System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, VERBOSE_LEVEL);
    }
  }
}
