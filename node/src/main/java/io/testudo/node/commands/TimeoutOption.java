package io.testudo.node.commands;

import io.testudo.client.config.ClientConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long a command waits for servers. */
final class TimeoutOption {
  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long to wait for servers; by default as configured.")
  private @Nullable Duration timeout;

  Duration orAsConfigured(ClientConfig config) {
    return timeout == null ? config.timeout() : timeout;
  }
}
