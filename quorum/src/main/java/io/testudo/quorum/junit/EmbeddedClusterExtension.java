package io.testudo.quorum.junit;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.embedded.ServerProgram;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests an embedded cluster, and ends it afterwards. In a static field with
 * {@code @RegisterExtension} all tests of the class share one; in an instance field each has its
 * own. A test gets it by {@link #cluster} or as a parameter.
 */
@SuppressWarnings("exports") // Whoever uses it has JUnit; the others must not need it.
public final class EmbeddedClusterExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        ParameterResolver {
  /** Starts a cluster; the directory is there as long as the cluster, and empty at first. */
  private interface Starter {
    EmbeddedCluster start(Path directory);
  }

  private final Starter starter;
  private @Nullable EmbeddedCluster cluster;
  private @Nullable Path directory;
  private boolean shared;

  private EmbeddedClusterExtension(Starter starter) {
    this.starter = starter;
  }

  /**
   * A cluster for tests, in their process.
   *
   * @param halves makes the halves of a server as they are at each start
   */
  public static EmbeddedClusterExtension of(
      int servers, WireTypes types, Function<ServerId, List<Machine<ClientId>>> halves) {
    return new EmbeddedClusterExtension(directory -> EmbeddedCluster.start(servers, types, halves));
  }

  /** A cluster for tests, each server in a process of its own, which can be killed. */
  public static EmbeddedClusterExtension ofProcesses(int servers, ServerProgram program) {
    return new EmbeddedClusterExtension(
        directory -> EmbeddedCluster.startProcesses(directory, servers, program));
  }

  /** The cluster of the running test. */
  public EmbeddedCluster cluster() {
    if (cluster == null) {
      throw new IllegalStateException(
          "There is a cluster only while a test runs; register the extension in a field.");
    }
    return cluster;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    shared = true;
    start();
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    if (!shared) {
      start();
    }
  }

  private void start() throws IOException {
    directory = Files.createTempDirectory("testudo-cluster");
    try {
      cluster = starter.start(directory);
    } finally {
      if (cluster == null) {
        stop();
      }
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    if (!shared) {
      stop();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    stop();
  }

  private void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
    if (directory != null) {
      MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
      directory = null;
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == EmbeddedCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster();
  }
}
