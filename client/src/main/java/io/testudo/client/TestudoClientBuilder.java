package io.testudo.client;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.net.HostAndPort;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.config.Settings;
import io.testudo.crypto.SealScheme;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.SecurityMode;
import io.testudo.quorum.netty.ClientLoops;
import io.testudo.quorum.netty.HostResolver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a client: from a configuration file, from a cluster file, or from the name and the servers
 * of a cluster.
 */
public final class TestudoClientBuilder {
  private static final String ORIGIN = "TestudoClient.builder()";

  private final @Nullable Path clientConf;
  private final Map<String, String> settings = new TreeMap<>();
  private final List<String> servers = new ArrayList<>();
  private String clusterName = "";
  private int byzantine;
  private SecurityMode security = SecurityMode.HMAC;
  private boolean administers;
  private @Nullable ClientThreads threads;
  private @Nullable Executor executor;
  private @Nullable AddressResolver resolver;

  /**
   * A builder.
   *
   * @param clientConf what counts where nothing is set here; null for no such file
   */
  TestudoClientBuilder(@Nullable Path clientConf) {
    this.clientConf = clientConf;
  }

  /** The cluster file, which {@code testudo init} writes: it has the servers and the rights. */
  public TestudoClientBuilder clusterFile(Path file) {
    return set("cluster-file", file);
  }

  /**
   * The servers of a cluster, in the place of a cluster file.
   *
   * @param name of the cluster, which its keys are for
   * @param tolerated how many of its servers may lie
   * @param addresses each as {@code HOST:PORT}, s0 first
   * @throws ConfigurationException if there are none
   */
  public TestudoClientBuilder cluster(String name, int tolerated, String... addresses) {
    if (addresses.length == 0) {
      throw new ConfigurationException(ORIGIN + ": a cluster has servers; name them.");
    }
    clusterName = name;
    byzantine = tolerated;
    servers.clear();
    servers.addAll(Arrays.asList(addresses));
    return this;
  }

  /** As whom the servers know this client. */
  public TestudoClientBuilder principal(String name) {
    return set("principal", name);
  }

  /**
   * Says that the principal has the right to administer, where no cluster file does: {@link
   * TestudoClient#status()} then asks servers about themselves. They leave that unanswered, and
   * seem to fail, if it has not.
   */
  public TestudoClientBuilder administers() {
    administers = true;
    return this;
  }

  /** The file with this client's keys: by them it connects with hmac, and seals in any mode. */
  public TestudoClientBuilder keys(Path file) {
    return set("keys", file);
  }

  /**
   * The file with this client's signing key, for a cluster whose clients seal with signatures: it
   * takes the cluster file, which has the public keys of all.
   */
  public TestudoClientBuilder signingKey(Path file) {
    return set("seals", SealScheme.ED25519.schemeName()).set("signing-key", file);
  }

  /** Connects with TLS, by this certificate, to servers that this authority knows. */
  public TestudoClientBuilder tls(Path certificate, Path privateKey, Path authority) {
    security = SecurityMode.TLS;
    return set("tls.certificate", certificate)
        .set("tls.private-key", privateKey)
        .set("tls.authority", authority);
  }

  /** The protocol of the locks, as the servers have it; {@code backoff} unless set. */
  public TestudoClientBuilder backend(String name) {
    return set("lock.backend", name);
  }

  /** How long operations on objects and questions may take unless they say otherwise. */
  public TestudoClientBuilder timeout(Duration limit) {
    return set("timeout", TimeUnit.NANOSECONDS.convert(limit) + "ns");
  }

  /**
   * Any setting that a client's configuration file may have, such as {@code lock.max-hold} with
   * {@code 30s}. What the files of the servers say of locks and objects must be the same here.
   */
  public TestudoClientBuilder set(String setting, String value) {
    settings.put(setting, value);
    return this;
  }

  /** Relative to the working directory, wherever a configuration file is. */
  private TestudoClientBuilder set(String setting, Path file) {
    return set(setting, file.toAbsolutePath().toString());
  }

  /** Threads that this client shares with others; whoever started them ends them. */
  public TestudoClientBuilder threads(ClientThreads shared) {
    threads = shared;
    return this;
  }

  /**
   * Where listeners and what is chained to futures run; unless set, on threads of Testudo, which
   * are as many as it takes: there they may block, also to wait for each other. An executor that
   * runs them at once ({@code Runnable::run}) runs them on the thread of the connections. That is
   * the fastest, and nothing that blocks may run there: no call that waits, no IO.
   */
  public TestudoClientBuilder executor(Executor callbacks) {
    executor = callbacks;
    return this;
  }

  /** Says where servers are, in the place of the system's answers for the names of their hosts. */
  public TestudoClientBuilder resolver(AddressResolver addresses) {
    resolver = addresses;
    return this;
  }

  /**
   * Connects. It does not wait for the servers.
   *
   * @throws ConfigurationException if something is missing or cannot be used
   */
  public TestudoClient connect() {
    ClientConfig config = read().withKeysRead();
    HostResolver hosts = resolver == null ? HostResolver.ofSystem() : resolver::resolve;
    ClientLoops loops = threads == null ? null : threads.loops();
    Executor callbacks = threads == null || executor != null ? executor : threads.callbacks();
    return TestudoClient.over(
        ClusterClient.connect(config, loops, hosts), callbacks, loops, copy()::read);
  }

  /** What is set later is for other clients. */
  private TestudoClientBuilder copy() {
    TestudoClientBuilder copy = new TestudoClientBuilder(clientConf);
    copy.settings.putAll(settings);
    copy.servers.addAll(servers);
    copy.clusterName = clusterName;
    copy.byzantine = byzantine;
    copy.security = security;
    copy.administers = administers;
    return copy;
  }

  private ClientConfig read() {
    Settings all =
        clientConf == null
            ? Settings.of(ORIGIN, settings)
            : Settings.read(clientConf).with(settings);
    if (!servers.isEmpty() && all.has("cluster-file")) {
      throw all.wrong("cluster-file", "has servers, and 'cluster' names some, too; leave one out");
    }
    return ClientConfig.of(all, servers.isEmpty() ? all.cluster() : description(all));
  }

  private ClusterDescription description(Settings all) {
    try {
      // Servers decide who may do what, by their own cluster files.
      EnumSet<Right> assumed = EnumSet.allOf(Right.class);
      if (!administers) {
        assumed.remove(Right.ADMINISTER);
      }
      Rights rights =
          Rights.of(
              List.of(Grant.of(all.text("principal"), ImmutableSet.copyOf(assumed), "")),
              List.of());
      return new ClusterDescription(
          clusterName,
          security,
          byzantine,
          servers.stream()
              .map(TestudoClientBuilder::endpoint)
              .collect(ImmutableList.toImmutableList()),
          rights);
    } catch (QuorumConfigurationException e) {
      throw new ConfigurationException(
          "%s: %s; add servers, or tolerate fewer faults.".formatted(ORIGIN, e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("%s: %s".formatted(ORIGIN, e.getMessage()), e);
    }
  }

  private static Endpoint endpoint(String address) {
    try {
      HostAndPort parsed = HostAndPort.fromString(address);
      return new Endpoint(parsed.getHost(), parsed.getPort());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new ConfigurationException(
          "%s: the server '%s' cannot be used; write it as HOST:PORT.".formatted(ORIGIN, address),
          e);
    }
  }
}
