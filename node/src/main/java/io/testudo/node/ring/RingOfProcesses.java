package io.testudo.node.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.ring.EmbeddedRing;
import io.testudo.mutex.dht.ring.NodeNames;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.embedded.ServerProcess;
import io.testudo.quorum.netty.NettyPeer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A ring of which each member is a process of its own. The processes say over a connection of their
 * own, not over the ring, what happens; their monotonic clocks are that of the machine.
 */
final class RingOfProcesses implements PlayedRing {
  private static final int ENTRANCES = 3;
  private static final long GUARD_SECONDS = 60;
  private static final int HEX = 16;

  /** Small and quick to start: these do little. */
  private static final ImmutableList<String> OPTIONS =
      ImmutableList.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m", "-Xshare:auto");

  private final RingProtocol protocol;
  private final RingWatch watch;
  private final Supplier<String> lockName;
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final Path directory;
  private final ServerSocket door;
  private final Map<String, Child> children = new TreeMap<>();
  private final Map<String, CompletableFuture<Wire>> wires = new ConcurrentHashMap<>();
  private int nextMember;

  /** A process, and the connection to it. */
  private record Child(ServerProcess process, Wire wire) {}

  RingOfProcesses(int members, RingProtocol protocol, RingWatch watch, Supplier<String> lockName) {
    this.protocol = protocol;
    this.watch = watch;
    this.lockName = lockName;
    try {
      this.directory = Files.createTempDirectory("testudo-ring");
      this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread doorkeeper = new Thread(this::welcome, "ring-door");
    doorkeeper.setDaemon(true);
    doorkeeper.start();
    try {
      for (int i = 0; i < members; i++) {
        String unused = join();
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void welcome() {
    try {
      while (true) {
        Wire wire = new Wire(door.accept());
        Thread reader = new Thread(wire::read, "ring-child");
        reader.setDaemon(true);
        reader.start();
      }
    } catch (IOException e) {
      // The door is closed.
    }
  }

  @Override
  public synchronized String join() {
    String name = EmbeddedRing.principalOf(nextMember++);
    CompletableFuture<Wire> wire = new CompletableFuture<>();
    wires.put(name, wire);
    Path shared = directory.resolve(name + ".shared");
    Path own = directory.resolve(name + ".keys");
    List<Integer> others =
        children.values().stream()
            .limit(ENTRANCES)
            .map(child -> child.process().ports().get(0))
            .toList();
    try {
      secrets.serverKeyring(EmbeddedRing.NAME, NettyPeer.SHARED).write(shared);
      secrets.clientKeyring(EmbeddedRing.NAME, name, 1, ImmutableSet.of()).write(own);
      ServerProcess process =
          ServerProcess.launch(
              RingChild.class,
              OPTIONS,
              RingChild.arguments(shared, own, protocol, door.getLocalPort(), others));
      process.awaitReady();
      children.put(
          name, new Child(process, wire.orTimeout(GUARD_SECONDS, TimeUnit.SECONDS).join()));
      return name;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized ImmutableMap<String, NodeId> members() {
    ImmutableMap.Builder<String, NodeId> all = ImmutableMap.builder();
    children.keySet().forEach(name -> all.put(name, NodeNames.member(name)));
    return all.buildOrThrow();
  }

  private synchronized @Nullable Child child(String member) {
    return children.get(member);
  }

  @Override
  public void contend(String member) {
    Child child = child(member);
    if (child != null) {
      child.wire().say("contend " + lockName.get());
    }
  }

  @Override
  public void kill(String member) {
    Child child;
    synchronized (this) {
      child = children.remove(member);
    }
    if (child != null) {
      child.wire().dies();
      child.process().kill();
    }
  }

  @Override
  public ImmutableList<String> misplaced() {
    ImmutableMap<String, NodeId> members = members();
    List<NodeId> ids = new ArrayList<>(members.values());
    ids.sort(null);
    List<String> wrong = new ArrayList<>();
    members.forEach(
        (name, id) -> {
          Child child = child(name);
          NodeId next = ids.get((ids.indexOf(id) + 1) % ids.size());
          if (child == null || !child.wire().neighbours().contains(next)) {
            wrong.add(name);
          }
        });
    return ImmutableList.copyOf(wrong);
  }

  @Override
  public void close() {
    List<Child> all;
    synchronized (this) {
      all = List.copyOf(children.values());
      children.clear();
    }
    all.forEach(child -> child.process().kill());
    try {
      door.close();
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      secrets.close();
    }
  }

  /** The connection to one child. */
  private final class Wire {
    private final Socket socket;
    private final PrintWriter out;
    private volatile String name = "";
    private volatile boolean dead;
    private volatile long untilNanos;
    private volatile CompletableFuture<List<NodeId>> looked = new CompletableFuture<>();

    Wire(Socket socket) throws IOException {
      this.socket = socket;
      this.out = new PrintWriter(socket.getOutputStream(), true, UTF_8);
    }

    void say(String line) {
      out.println(line);
    }

    void read() {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
        for (String line = lines.readLine(); line != null && !dead; line = lines.readLine()) {
          hear(Splitter.on(' ').splitToList(line));
        }
      } catch (IOException | InterruptedException e) {
        // The child is gone.
      }
    }

    private void hear(List<String> words) throws InterruptedException {
      switch (words.get(0)) {
        case "is" -> {
          name = words.get(1);
          CompletableFuture<Wire> awaited = wires.get(name);
          if (awaited != null) {
            awaited.complete(this);
          }
        }
        case "asks" -> watch.asks(name);
        case "enters" -> watch.enters(name, Long.parseLong(words.get(1)));
        case "done" -> {
          untilNanos = Long.parseLong(words.get(1));
          watch.holdOn(name);
          say("leave");
        }
        case "leaves" -> watch.leaves(name);
        case "without" -> watch.endsWithout(name);
        case "neighbours" -> looked.complete(ids(words.subList(2, words.size())));
        default -> {}
      }
    }

    private List<NodeId> ids(List<String> words) {
      return words.stream().map(word -> new NodeId(Long.parseUnsignedLong(word, HEX))).toList();
    }

    List<NodeId> neighbours() {
      CompletableFuture<List<NodeId>> answer = new CompletableFuture<>();
      looked = answer;
      say("look");
      return answer.completeOnTimeout(List.of(), 1, TimeUnit.SECONDS).join();
    }

    /** To be called before its process is killed. What it said last of its lease may be less. */
    void dies() {
      dead = true;
      if (name.equals(watch.holder())) {
        watch.diesHolding(name, untilNanos);
      } else {
        watch.diesWaiting(name);
      }
    }
  }
}
