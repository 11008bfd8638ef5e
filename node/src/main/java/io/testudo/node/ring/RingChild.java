package io.testudo.node.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.client.LockClient;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.dht.ring.NodeView;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.mutex.dht.ring.RingProtocols;
import io.testudo.node.log.Logging;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.ServerKeyring;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.embedded.LoopbackPorts;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.MemberCredentials;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.runtime.FatalHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A member of {@link RingOfProcesses}: it does what the parent says over a connection, and tells it
 * what happens.
 */
final class RingChild implements ChildMain.Servers {
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
  private static final long READY_SECONDS = 60;

  private final ServerLoops loops;
  private final RingNode node;
  private final PrintWriter out;
  private final Semaphore mayLeave = new Semaphore(0);

  private RingChild(ServerLoops loops, RingNode node, PrintWriter out) {
    this.loops = loops;
    this.node = node;
    this.out = out;
  }

  /**
   * The two key files, the backend, the routing, the port of the parent, and the ports of members
   * through which it joins.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Logging.use("ERROR", /* json= */ false);
    ChildMain.run(() -> start(List.of(arguments)));
  }

  static List<String> arguments(
      Path shared, Path own, RingProtocol protocol, int parent, List<Integer> others) {
    return ImmutableList.<String>builder()
        .add(shared.toString(), own.toString(), protocol.name(), protocol.routing().word())
        .add(Integer.toString(parent))
        .addAll(others.stream().map(String::valueOf).toList())
        .build();
  }

  private static RingChild start(List<String> arguments) throws IOException {
    ServerKeyring shared = readOnce(arguments.get(0), ServerKeyring::read);
    ClientKeyring own = readOnce(arguments.get(1), ClientKeyring::read);
    RingProtocol protocol =
        RingPlay.hasty(
            RingProtocols.find(arguments.get(2))
                .orElseThrow()
                .withRouting(Routings.ofWord(arguments.get(3)).orElseThrow()));
    String here = InetAddress.getLoopbackAddress().getHostAddress();
    ImmutableList<Endpoint> others =
        arguments.stream()
            .skip(5)
            .map(port -> new Endpoint(here, Integer.parseInt(port)))
            .collect(ImmutableList.toImmutableList());
    ServerLoops loops = ServerLoops.start(1);
    AtomicReference<RingNode> node = new AtomicReference<>();
    var unused =
        LoopbackPorts.bind(
            address ->
                node.set(
                    RingNode.member(
                        loops,
                        MemberCredentials.hmac(shared, own),
                        Gate.everybody(),
                        LinkLimits.standard(),
                        protocol,
                        address,
                        null,
                        others,
                        () -> FatalHandler.halt(new IllegalStateException("the node broke")))),
            0);
    RingNode bound = Objects.requireNonNull(node.get());
    NodeId id = bound.whenReady().orTimeout(READY_SECONDS, TimeUnit.SECONDS).join();
    Socket parent =
        new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments.get(4)));
    PrintWriter out = new PrintWriter(parent.getOutputStream(), true, UTF_8);
    RingChild child = new RingChild(loops, bound, out);
    out.println("is " + own.principal() + " " + Long.toHexString(id.bits()));
    Thread reader = new Thread(() -> child.obey(parent), "parent");
    reader.setDaemon(true);
    reader.start();
    return child;
  }

  private interface Reading<T> {
    T read(Path file) throws IOException;
  }

  /** Keys are on disk only until they have been read. */
  private static <T> T readOnce(String file, Reading<T> reading) throws IOException {
    T read = reading.read(Path.of(file));
    Files.delete(Path.of(file));
    return read;
  }

  private void obey(Socket parent) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(parent.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> words = Splitter.on(' ').splitToList(line);
        switch (words.get(0)) {
          case "contend" -> contend(words.get(1));
          case "leave" -> mayLeave.release();
          case "look" -> look();
          default -> {}
        }
      }
    } catch (IOException e) {
      // The parent has ended, and this process does with it.
    }
  }

  private void look() {
    NodeView view = node.view();
    out.println(
        "neighbours "
            + view.joined()
            + view.neighbours().stream()
                .map(id -> " " + Long.toHexString(id.bits()))
                .collect(Collectors.joining()));
  }

  private void contend(String lock) {
    Thread thread =
        new Thread(() -> contendFor(LockClient.at(node).build().lock(lock)), "contender");
    thread.setDaemon(true);
    thread.start();
  }

  private void contendFor(DistributedLock lock) {
    try {
      while (true) {
        out.println("asks");
        try {
          use(lock.acquire());
        } catch (TestudoException e) {
          out.println("without");
        }
      }
    } catch (InterruptedException e) {
      // All is over.
    }
  }

  private void use(Lease lease) throws InterruptedException {
    out.println("enters " + System.nanoTime());
    LockSupport.parkNanos(HOLD_NANOS);
    out.println("done " + (System.nanoTime() + lease.remaining().toNanos()));
    mayLeave.acquire();
    out.println("leaves");
    lease.close();
  }

  @Override
  public List<Integer> ports() {
    return List.of(node.address().getPort());
  }

  @Override
  public void close() {
    node.close();
    loops.close();
  }
}
