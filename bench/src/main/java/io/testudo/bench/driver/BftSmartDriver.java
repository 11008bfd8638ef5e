package io.testudo.bench.driver;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * BFT-SMaRt with four servers of its counter demo. It is not on Maven Central: whoever has built it
 * names the directory, and its classes are found by their names.
 */
public final class BftSmartDriver {
  private static final int SERVERS = 4;
  private static final String SERVER = "bftsmart.demo.counter.CounterServer";
  private static final String CLIENT = "bftsmart.tom.ServiceProxy";

  /** Its clients have numbers that no server has. */
  private static final int FIRST_CLIENT = 1_001;

  private BftSmartDriver() {}

  /** The directory of a build, with jars in {@code lib} and files in {@code config}. */
  public static void main(String[] args) throws InterruptedException {
    PeerDriver.main(servers -> start(servers, Path.of(args[0])));
  }

  private static PeerSystem start(PeerServers servers, Path build)
      throws IOException, InterruptedException {
    List<Integer> ports = PeerServers.freePorts(2 * SERVERS);
    StringBuilder hosts = new StringBuilder();
    for (int i = 0; i < SERVERS; i++) {
      hosts.append(
          "%d %s %d %d\n"
              .formatted(i, PeerServers.LOOPBACK, ports.get(2 * i), ports.get(2 * i + 1)));
    }
    for (int i = 0; i < SERVERS; i++) {
      String name = "server-" + i;
      configure(build, servers.directory(name), hosts.toString());
      servers.startJava(name, SERVER, Integer.toString(i));
    }
    for (int i = 0; i < SERVERS; i++) {
      servers.awaitPort(ports.get(2 * i));
    }
    Path own = servers.directory("clients");
    configure(build, own, hosts.toString());
    return new Replicas(own.resolve("config"));
  }

  /**
   * A copy of the build's configuration, with other hosts: it is read from the working directory.
   */
  private static void configure(Path build, Path directory, String hosts) throws IOException {
    Path source = build.resolve("config");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.collect(Collectors.toList())) {
        Path target = directory.resolve("config").resolve(source.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!file.endsWith("currentView")) {
          Files.copy(file, target);
        }
      }
    }
    Files.writeString(directory.resolve("config").resolve("hosts.config"), hosts);
  }

  private record Replicas(Path config) implements PeerSystem {
    @Override
    public String version() {
      return "BFT-SMaRt";
    }

    @Override
    public PeerConnection connect(int index) throws ReflectiveOperationException {
      Class<?> type = Class.forName(CLIENT);
      Constructor<?> constructor = type.getConstructor(int.class, String.class);
      return new Proxy(
          constructor.newInstance(FIRST_CLIENT + index, config + File.separator),
          type.getMethod("invokeOrdered", byte[].class),
          type.getMethod("close"));
    }

    @Override
    public void close() {}
  }

  private record Proxy(Object proxy, Method invoke, Method closing) implements PeerConnection {
    /** The demo has one number for all; what others counted before is left out. */
    @Override
    public PeerCounter counter(String name, PeerWork.Use use) throws Exception {
      return new Count(this, add(0));
    }

    long add(int amount) throws Exception {
      byte[] request = ByteBuffer.allocate(Integer.BYTES).putInt(amount).array();
      byte[] reply = (byte[]) invoke.invoke(proxy, (Object) request);
      if (reply == null) {
        throw new IOException("too few servers answered");
      }
      return ByteBuffer.wrap(reply).getInt();
    }

    @Override
    public void close() throws IOException {
      try {
        closing.invoke(proxy);
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IOException(e);
      }
    }
  }

  private record Count(Proxy proxy, long before) implements PeerCounter {
    @Override
    public long increment() throws Exception {
      return proxy.add(1) - before;
    }

    @Override
    public long get() throws Exception {
      return proxy.add(0) - before;
    }
  }
}
