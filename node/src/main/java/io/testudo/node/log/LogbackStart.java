package io.testudo.node.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Logback asks it first of all. If it is {@link Logging} that begins to log, logback need not look
 * for configurations, which are undone at once: that took a twentieth of a short command.
 */
public final class LogbackStart extends ContextAwareBase implements Configurator {
  /** For logback. */
  public LogbackStart() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    return Logging.installs()
        ? ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY
        : ExecutionStatus.INVOKE_NEXT_IF_ANY;
  }
}
