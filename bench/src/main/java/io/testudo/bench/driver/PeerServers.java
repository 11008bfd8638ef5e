package io.testudo.bench.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes of one system's servers, each with a directory and a log of its own. None outlives
 * the driver: the standard input of each ends with it, and each ends then.
 */
public final class PeerServers implements AutoCloseable {
  public static final String LOOPBACK = "127.0.0.1";

  /** Below all that systems give to outgoing connections, lest one of those takes a port first. */
  private static final int FIRST_PORT = 15_000;

  private static final int END_OF_PORTS = 31_000;
  private static final int TRIES_EACH = 100;
  private static final int READY_WITHIN_SECONDS = 180;
  private static final int LAST_WORDS = 5;
  private static final int JAVA_THAT_WARNS_OF_NATIVE_CODE = 22;

  /** Enough for each of them, and a dozen fit into the memory of a usual machine. */
  private static final String HEAP = "-Xmx512m";

  /**
   * A program that knows nothing of its parent: the shell reads its input, which ends with the
   * driver, and then ends the program.
   */
  private static final String KEEPER = "\"$@\" </dev/null & read -r _; kill -9 $!; wait";

  private final Path directory;
  private final List<PeerServer> processes = new ArrayList<>();

  PeerServers(Path directory) {
    this.directory = directory;
  }

  /** Where servers may keep what they like. */
  public Path directory() {
    return directory;
  }

  /** A new directory for one server. */
  public Path directory(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  /** So many ports of loopback that nobody uses now. */
  public static List<Integer> freePorts(int count) throws IOException {
    Set<Integer> found = new LinkedHashSet<>();
    for (int tries = 0; found.size() < count && tries < count * TRIES_EACH; tries++) {
      int candidate = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_OF_PORTS);
      if (!found.contains(candidate) && isFree(candidate)) {
        found.add(candidate);
      }
    }
    if (found.size() < count) {
      throw new IOException("there are not %d free ports".formatted(count));
    }
    return List.copyOf(found);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** Starts a server with the Java, the class path and the heap of this process. */
  public void startJava(String name, String main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(javaHere());
    command.add(WatchedMain.class.getName());
    command.add(main);
    command.addAll(Arrays.asList(arguments));
    start(name, command);
  }

  /** The same for one that reads its standard input itself, and ends when that does. */
  public PeerServer startListener(String name, String main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(javaHere());
    command.add(main);
    command.addAll(Arrays.asList(arguments));
    return start(name, command);
  }

  private static List<String> javaHere() {
    List<String> command = new ArrayList<>(java());
    command.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
    return command;
  }

  /**
   * The Java of this process, with the options that count for all that is measured: heap and
   * collector as here, so that TESTUDO_JAVA_OPTS is for all alike.
   */
  public static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(HEAP);
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(PeerServers::isInherited)
        .forEach(command::add);
    if (Runtime.version().feature() >= JAVA_THAT_WARNS_OF_NATIVE_CODE) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    return command;
  }

  /** Heap, collector and what opens packages; an archive of classes fits one class path only. */
  private static boolean isInherited(String option) {
    return option.startsWith("--add-")
        || (option.startsWith("-X") && !option.startsWith("-XX:SharedArchiveFile"));
  }

  /** Starts a program of the system. */
  public void startNative(String name, String... command) throws IOException {
    List<String> all = new ArrayList<>(List.of("sh", "-c", KEEPER, "sh"));
    all.addAll(Arrays.asList(command));
    start(name, all);
  }

  private PeerServer start(String name, List<String> command) throws IOException {
    PeerServer server = new PeerServer(command, directory(name), directory.resolve(name + ".log"));
    processes.add(server);
    server.start();
    return server;
  }

  /** In the order in which they were started. */
  List<PeerServer> all() {
    return List.copyOf(processes);
  }

  /**
   * Waits until a server listens.
   *
   * @throws IOException if it does not in time, or a server has ended
   */
  public void awaitPort(int port) throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_WITHIN_SECONDS);
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
        return;
      } catch (IOException e) {
        requireAlive();
        if (System.nanoTime() - deadlineNanos >= 0) {
          throw new IOException(
              "no server listened within %d s".formatted(READY_WITHIN_SECONDS), e);
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  private void requireAlive() throws IOException {
    for (PeerServer server : processes) {
      server.requireAlive();
    }
  }

  /** The ends of all logs, without stacks and what another has said. */
  String lastWords() {
    Set<String> words = new LinkedHashSet<>();
    for (PeerServer server : processes) {
      try (Stream<String> lines = Files.lines(server.log(), UTF_8)) {
        List<String> all =
            lines
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.matches("(at |\\.\\.\\. ).*"))
                .toList();
        words.addAll(all.subList(Math.max(0, all.size() - LAST_WORDS), all.size()));
      } catch (IOException | UncheckedIOException e) {
        words.add("(no log)");
      }
    }
    return String.join(" / ", words);
  }

  /** The version in the name of the jar that has a class. */
  public static String versionOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    String jar = source == null ? "" : new File(source.getLocation().getPath()).getName();
    return jar.replaceFirst("\\.jar$", "").replaceFirst("^.*?-(?=\\d)", "");
  }

  /** Ends all servers: each when its input ends, and in any case. */
  @Override
  public void close() throws IOException {
    processes.forEach(PeerServer::endInput);
    processes.forEach(PeerServer::end);
  }
}
