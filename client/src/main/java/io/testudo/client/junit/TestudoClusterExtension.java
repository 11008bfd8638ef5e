package io.testudo.client.junit;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a cluster in their process, and ends it afterwards. In a static field with
 * {@code @RegisterExtension} all tests of the class and of its nested classes share one; in an
 * instance field each has its own, unless JUnit makes one instance for all. A test gets it by
 * {@link #cluster} or as a parameter, and likewise a client of its own.
 */
@SuppressWarnings("exports") // Whoever uses it has JUnit; the others must not need it.
public final class TestudoClusterExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        ParameterResolver {
  private final int servers;
  private final int byzantine;
  private final Map<String, String> settings;

  private final ReentrantLock changing = new ReentrantLock();

  /** Guarded by {@link #changing}. */
  private @Nullable TestudoCluster cluster;

  /**
   * Guarded by {@link #changing}: how many classes share the cluster, nested ones and heirs among
   * them.
   */
  private int classes;

  private TestudoClusterExtension(int servers, int byzantine, Map<String, String> settings) {
    this.servers = servers;
    this.byzantine = byzantine;
    this.settings = settings;
  }

  /** A cluster as {@link TestudoCluster#start(int, int)} starts it. */
  public static TestudoClusterExtension of(int servers, int byzantine) {
    return of(servers, byzantine, Map.of());
  }

  /** A cluster as {@link TestudoCluster#start(int, int, Map)} starts it. */
  public static TestudoClusterExtension of(
      int servers, int byzantine, Map<String, String> settings) {
    return new TestudoClusterExtension(servers, byzantine, Map.copyOf(settings));
  }

  /** The cluster of the running test. */
  public TestudoCluster cluster() {
    changing.lock();
    try {
      if (cluster == null) {
        throw new IllegalStateException(
            "There is a cluster only while a test runs; register the extension in a field.");
      }
      return cluster;
    } finally {
      changing.unlock();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    startFor(1);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    startFor(0);
  }

  private void startFor(int classesMore) {
    changing.lock();
    try {
      classes += classesMore; // Also if it does not start: JUnit calls afterAll even then.
      if (cluster == null) {
        cluster = TestudoCluster.start(servers, byzantine, settings);
      }
    } finally {
      changing.unlock();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    stopUnlessShared(0);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    stopUnlessShared(1);
  }

  /** Its end waits for loops, which may wait for callers: so not under the lock. */
  private void stopUnlessShared(int classesLess) {
    TestudoCluster last;
    changing.lock();
    try {
      classes -= classesLess;
      if (classes > 0 || cluster == null) {
        return;
      }
      last = cluster;
      cluster = null;
    } finally {
      changing.unlock();
    }
    last.close();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == TestudoCluster.class || type == TestudoClient.class;
  }

  /** A client ends with its cluster, unless the test ends it. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestudoCluster.class
        ? cluster()
        : cluster().client();
  }
}
