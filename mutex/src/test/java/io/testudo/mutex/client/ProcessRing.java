package io.testudo.mutex.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.embedded.ServerProcess;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyPeer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A ring of several processes, for all tests of a class: processes are slow to start. The members
 * that the suite stops share two of them, and one more process has a member of its own, which is
 * killed with it.
 */
final class ProcessRing implements AutoCloseable {
  private static final String NAME = "ring-of-processes";
  private static final int HOSTS = 2;
  private static final int ENTRANCES = 4;
  private static final ImmutableList<String> OPTIONS =
      ImmutableList.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m");

  private final String backend;
  private final int members;
  private final Path keys;
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final ServerSocket door;
  private final List<Host> hosts = new ArrayList<>();

  /** Where each member is. */
  private final Map<Integer, Host> homes = new TreeMap<>();

  /** Ports of those that live, and of those that are to come back. */
  private final Map<Integer, Integer> living = new TreeMap<>();

  private final Map<Integer, Integer> stopped = new TreeMap<>();

  /** A process. */
  private record Host(ServerProcess process, BufferedReader in, PrintWriter out) {
    int tell(String line) {
      out.println(line);
      try {
        return Integer.parseInt(in.readLine());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  ProcessRing(String backend, int members, Path keys) throws IOException, InterruptedException {
    this.backend = backend;
    this.members = members;
    this.keys = keys;
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    secrets.serverKeyring(NAME, NettyPeer.SHARED).write(keys.resolve("shared"));
    for (int i = 0; i < HOSTS; i++) {
      addHost();
    }
    for (int i = 0; i < members; i++) {
      homes.put(i, hosts.get(i % HOSTS));
      start(i, 0);
    }
  }

  private Host addHost() throws IOException, InterruptedException {
    ServerProcess process =
        ServerProcess.launch(
            RingHostMain.class,
            OPTIONS,
            List.of(backend, keys.toString(), Integer.toString(door.getLocalPort())));
    Socket socket = door.accept();
    process.awaitReady();
    Host host =
        new Host(
            process,
            new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)),
            new PrintWriter(socket.getOutputStream(), true, UTF_8));
    hosts.add(host);
    return host;
  }

  private void start(int member, int port) {
    living.put(member, startOn(home(member), "m" + member, port));
  }

  private Host home(int member) {
    return Objects.requireNonNull(homes.get(member), "it has no process");
  }

  private int startOn(Host host, String name, int port) {
    Path file = keys.resolve(name);
    try {
      if (!file.toFile().exists()) {
        secrets.clientKeyring(NAME, name, 1, ImmutableSet.of()).write(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    StringBuilder line = new StringBuilder("start " + name + " " + port);
    living.values().stream().limit(ENTRANCES).forEach(other -> line.append(' ').append(other));
    return host.tell(line.toString());
  }

  /** One more process joins, with a member of its own. */
  synchronized void joinProcess() throws IOException, InterruptedException {
    Host host = addHost();
    int number = hosts.size() + members;
    homes.put(number, host);
    start(number, 0);
  }

  /** The last process that joined is killed, with its member. */
  synchronized void killProcess() {
    Host last = hosts.remove(hosts.size() - 1);
    int number = hosts.size() + 1 + members;
    living.remove(number);
    stopped.remove(number);
    homes.remove(number);
    last.process().kill();
  }

  /** For one test: what that stops comes back at its end. */
  LockAcceptance.Servers forOneTest() {
    return new OneTest();
  }

  private final class OneTest implements LockAcceptance.Servers {
    private final List<RingNode> clients = new ArrayList<>();

    @Override
    public int servers() {
      return members;
    }

    private RingNode client(String principal) {
      List<Endpoint> entrances = new ArrayList<>();
      synchronized (ProcessRing.this) {
        living.values().forEach(port -> entrances.add(new Endpoint("127.0.0.1", port)));
        stopped.values().forEach(port -> entrances.add(new Endpoint("127.0.0.1", port)));
      }
      RingNode client =
          RingNode.client(
              null,
              ClientCredentials.hmac(secrets.clientKeyring(NAME, principal, 1, ImmutableSet.of())),
              LinkLimits.standard(),
              LockRing.protocol(backend),
              entrances);
      clients.add(client);
      return client;
    }

    @Override
    public LockClient.Builder prepareClient(String principal) {
      return LockClient.at(client(principal)).closesConnections();
    }

    @Override
    public LockAcceptance.Mortal mortalClient(String principal) {
      RingNode node = client(principal);
      return new LockAcceptance.Mortal(LockClient.at(node).build(), node::kill);
    }

    @Override
    public void stop(ServerId server) {
      synchronized (ProcessRing.this) {
        stopMember(server.index());
        if (living.keySet().stream().allMatch(member -> member >= members)) {
          // All are to be stopped. One that had joined would take all keys over by itself.
          List.copyOf(living.keySet()).forEach(this::stopMember);
        }
      }
    }

    private void stopMember(int member) {
      Integer port = living.remove(member);
      if (port != null) {
        stopped.put(member, port);
        int unused = home(member).tell("kill m" + member);
      }
    }

    @Override
    public void restart(ServerId server) {
      synchronized (ProcessRing.this) {
        Integer port = stopped.remove(server.index());
        if (port != null) {
          start(server.index(), port);
        }
      }
    }

    @Override
    public void close() {
      clients.forEach(RingNode::kill);
      List<Integer> away;
      synchronized (ProcessRing.this) {
        away = List.copyOf(stopped.keySet());
      }
      away.forEach(member -> restart(new ServerId(member)));
    }
  }

  @Override
  public void close() throws IOException {
    hosts.forEach(host -> host.process().kill());
    door.close();
    secrets.close();
  }
}
