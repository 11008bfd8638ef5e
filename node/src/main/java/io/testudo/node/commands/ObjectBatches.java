package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ServerQuestions;
import io.testudo.client.config.ClientConfig;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.client.Failures;
import io.testudo.ordering.access.ObjectArchive;
import io.testudo.ordering.access.ObjectClient;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Clients for work on many objects. A client keeps all states that it has seen, so after some
 * objects or bytes another one takes its place.
 */
final class ObjectBatches implements AutoCloseable {
  private static final int MAX_OBJECTS = 256;
  private static final long MAX_BYTES = 32 << 20;

  private final ClientConfig config;
  private final Duration timeout;
  private @Nullable TestudoClient client;
  private @Nullable ObjectArchive archive;
  private int objects;
  private long bytes;

  ObjectBatches(ClientConfig config, Duration timeout) {
    this.config = config;
    this.timeout = timeout;
  }

  /** What one more object is asked of. */
  TestudoClient nextClient() {
    if (objects >= MAX_OBJECTS || bytes >= MAX_BYTES) {
      close();
    }
    objects++;
    if (client == null) {
      client = TestudoClient.connect(config.file());
    }
    return client;
  }

  /** The same, for an object of any type as a whole. */
  ObjectArchive next() {
    ObjectClient open = (ObjectClient) nextClient().objects();
    if (archive == null) {
      archive = new ObjectArchive(open, ObjectLine.TYPES, timeout);
    }
    return archive;
  }

  /** Takes note of a state that the client has now. */
  void kept(long stateBytes) {
    bytes += stateBytes;
  }

  /** Waits for an answer about an object. */
  <T> T await(String object, CompletableFuture<T> future) throws InterruptedException {
    try {
      return ServerQuestions.await(future);
    } catch (TestudoException e) {
      if (client == null) {
        throw e;
      }
      CommandException explained =
          Failures.explain(
              client.unwrap(ClusterClient.class),
              e,
              e.outcome() == Outcome.UNKNOWN ? ExitCode.UNKNOWN : ExitCode.FAILED);
      throw new CommandException(
          explained.exitCode(), "'%s': %s".formatted(object, explained.getMessage()), e);
    }
  }

  @Override
  public void close() {
    TestudoClient open = client;
    client = null;
    archive = null;
    objects = 0;
    bytes = 0;
    if (open != null) {
      open.close();
    }
  }
}
