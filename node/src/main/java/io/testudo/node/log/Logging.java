package io.testudo.node.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.LoggerFactory;

/**
 * The log of the {@code testudo} command and of its server processes: to the error stream and only
 * warnings, since the output of a command belongs to its results. Who only has this on the class
 * path logs as it likes.
 */
public final class Logging {
  /** The level of commands that have no configuration of their own. */
  public static final String LEVEL_PROPERTY = "testudo.log.level";

  private static final String FILE_PROPERTY = "logback.configurationFile";
  private static final String APPENDER = "stderr";
  private static final LogLines LINES = new LogLines();

  /** Whether logback is asked for by {@link #install}. */
  private static volatile boolean installs;

  private Logging() {}

  static boolean installs() {
    return installs;
  }

  /**
   * Sets logging up; to be called first of all in a process of ours. A file that the property
   * {@code logback.configurationFile} names counts more.
   */
  public static void install() {
    if (System.getProperty(FILE_PROPERTY) != null) {
      return;
    }
    installs = true;
    boolean isLogback = LoggerFactory.getILoggerFactory() instanceof LoggerContext;
    installs = false;
    if (!isLogback) {
      return;
    }
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    LINES.setContext(context);
    LINES.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName(APPENDER);
    appender.setTarget("System.err");
    appender.setEncoder(LINES);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(System.getProperty(LEVEL_PROPERTY), Level.WARN));
    root.addAppender(appender);
  }

  /**
   * Logs so from now on. What the property says of the level counts more.
   *
   * @param level as logback names it
   */
  public static void use(String level, boolean json) {
    LINES.setJson(json);
    if (System.getProperty(LEVEL_PROPERTY) == null
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.toLevel(level));
    }
  }
}
