package io.testudo.mutex.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.ring.RingNode;
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
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A child process that hosts members of a ring, which its parent starts and kills. */
final class RingHostMain implements ChildMain.Servers {
  private final String backend;
  private final Path keys;
  private final ServerLoops loops = ServerLoops.start(1);
  private final Map<String, RingNode> members = new ConcurrentHashMap<>();

  private RingHostMain(String backend, Path keys) {
    this.backend = backend;
    this.keys = keys;
  }

  /** The backend, the directory of keys, the port of the parent. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ChildMain.run(
        () -> {
          RingHostMain host = new RingHostMain(arguments[0], Path.of(arguments[1]));
          Socket parent =
              new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[2]));
          Thread reader = new Thread(() -> host.obey(parent), "parent");
          reader.setDaemon(true);
          reader.start();
          return host;
        });
  }

  private void obey(Socket parent) {
    try (BufferedReader lines =
            new BufferedReader(new InputStreamReader(parent.getInputStream(), UTF_8));
        PrintWriter out = new PrintWriter(parent.getOutputStream(), true, UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> words = Splitter.on(' ').splitToList(line);
        String name = words.get(1);
        if (words.get(0).equals("start")) {
          int port = start(name, Integer.parseInt(words.get(2)), words.subList(3, words.size()));
          out.println(port);
        } else {
          RingNode member = members.remove(name);
          if (member != null) {
            member.kill();
          }
          out.println(0);
        }
      }
    } catch (IOException | RuntimeException e) {
      FatalHandler.halt(e); // The parent has ended, or will tell what was said last.
    }
  }

  private int start(String name, int port, List<String> others) throws IOException {
    ServerKeyring shared = ServerKeyring.read(keys.resolve("shared"));
    ClientKeyring own = ClientKeyring.read(keys.resolve(name));
    ImmutableList<Endpoint> entrances =
        others.stream()
            .map(other -> new Endpoint("127.0.0.1", Integer.parseInt(other)))
            .collect(ImmutableList.toImmutableList());
    LoopbackPorts.Listener listener =
        address ->
            members.put(
                name,
                RingNode.member(
                    loops,
                    MemberCredentials.hmac(shared, own),
                    Gate.everybody(),
                    LinkLimits.standard(),
                    LockRing.protocol(backend),
                    address,
                    null,
                    entrances,
                    () -> FatalHandler.halt(new IllegalStateException(name))));
    InetSocketAddress at;
    try {
      at = LoopbackPorts.bind(listener, port);
    } catch (BindException e) {
      at =
          LoopbackPorts.bind(
              listener, 0); // Somebody has taken it; a member may come back elsewhere.
    }
    RingNode member = members.get(name);
    if (member != null) {
      var unused = member.whenReady().orTimeout(60, TimeUnit.SECONDS).join();
    }
    return at.getPort();
  }

  @Override
  public List<Integer> ports() {
    return List.of();
  }

  @Override
  public void close() {
    members.values().forEach(RingNode::kill);
    loops.close();
  }
}
