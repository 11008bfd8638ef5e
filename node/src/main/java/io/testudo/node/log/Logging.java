package io.testudo.node.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.LoggerFactory;

/**
 * Sets logging up in code, because reading a file costs every command a tenth of a second: to the
 * error stream and only warnings, since the output of a command belongs to its results. A file that
 * the property {@code logback.configurationFile} names counts more.
 */
public final class Logging extends ContextAwareBase implements Configurator {
  /** The level of commands that have no configuration of their own. */
  public static final String LEVEL_PROPERTY = "testudo.log.level";

  private static final String FILE_PROPERTY = "logback.configurationFile";
  private static final String APPENDER = "stderr";
  private static final LogLines LINES = new LogLines();

  /** For logback, which finds it as a service. */
  public Logging() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty(FILE_PROPERTY) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
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
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
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
