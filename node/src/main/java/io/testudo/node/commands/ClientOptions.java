package io.testudo.node.commands;

import io.testudo.client.config.ClientConfig;
import io.testudo.node.CommandException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that talk to a cluster. */
final class ClientOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The client's configuration; by default the one that TESTUDO_CONFIG names, "
              + "or client.conf here or in ~/.config/testudo.")
  private @Nullable Path config;

  ClientConfig read() {
    return ClientConfig.find(config, System.getenv());
  }

  /** For what a ring has not: its members have locks, and know nothing of all the others. */
  ClientConfig readOfCluster() {
    ClientConfig read = read();
    if (read.isRing()) {
      throw new CommandException(
          "The backend %s is that of a ring, for which there is no such command: take its locks with"
                  .formatted(read.common().lock().backend())
              + " 'testudo lock', and ask a member about itself at its admin address, as in 'curl"
              + " http://127.0.0.1:8001/status'.");
    }
    return read;
  }
}
