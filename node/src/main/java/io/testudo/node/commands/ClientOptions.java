package io.testudo.node.commands;

import io.testudo.client.config.ClientConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that talk to a cluster. */
final class ClientOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = {
        "The client's configuration; by default the one that TESTUDO_CONFIG names,",
        "or client.conf here or in ~/.config/testudo."
      })
  private @Nullable Path config;

  ClientConfig read() {
    return ClientConfig.find(config, System.getenv());
  }
}
