package io.testudo.quorum.junit;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
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
  private final int servers;
  private final WireTypes types;
  private final Function<ServerId, List<Machine<ClientId>>> halves;
  private @Nullable EmbeddedCluster cluster;
  private boolean shared;

  private EmbeddedClusterExtension(
      int servers, WireTypes types, Function<ServerId, List<Machine<ClientId>>> halves) {
    this.servers = servers;
    this.types = types;
    this.halves = halves;
  }

  /**
   * A cluster for tests.
   *
   * @param halves makes the halves of a server as they are at each start
   */
  public static EmbeddedClusterExtension of(
      int servers, WireTypes types, Function<ServerId, List<Machine<ClientId>>> halves) {
    return new EmbeddedClusterExtension(servers, types, halves);
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
  public void beforeAll(ExtensionContext context) {
    shared = true;
    start();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (!shared) {
      start();
    }
  }

  private void start() {
    cluster = EmbeddedCluster.start(servers, types, halves);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (!shared) {
      stop();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    stop();
  }

  private void stop() {
    if (cluster != null) {
      cluster.close();
      cluster = null;
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
