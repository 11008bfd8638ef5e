package io.testudo.node.config;

import io.testudo.client.config.Settings;

/** How a server logs. */
public record LogSettings(Level level, Format format) {
  /** From which weight on something is logged. */
  public enum Level {
    DEBUG,
    INFO,
    WARN,
    ERROR
  }

  /** How a line looks. */
  public enum Format {
    /** For people. */
    TEXT,
    /** One JSON object per line. */
    JSON
  }

  static LogSettings of(Settings settings) {
    return new LogSettings(
        settings.word("log.level", Level.class, Level.INFO),
        settings.word("log.format", Format.class, Format.JSON));
  }
}
