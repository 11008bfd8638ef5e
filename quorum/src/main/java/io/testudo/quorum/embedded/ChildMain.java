package io.testudo.quorum.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * The child's half of {@link ServerProcess}: says that it is ready, on which ports, and lives as
 * long as its standard input is open. A parent that ends, however it ends, closes that.
 */
public final class ChildMain {
  static final String READY = "ready";

  private ChildMain() {}

  /** What a child runs. Closing it ends its servers. */
  public interface Servers extends AutoCloseable {
    List<Integer> ports();

    @Override
    void close();
  }

  /** Starts the servers. */
  public interface Starter {
    Servers start() throws IOException, InterruptedException;
  }

  /** Runs until the parent ends it, and then ends this virtual machine. */
  public static void run(Starter starter) throws IOException, InterruptedException {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    CountDownLatch parentEnded = new CountDownLatch(1);
    CountDownLatch ready = new CountDownLatch(1);
    Thread watch = new Thread(() -> watchParent(System.in, ready, parentEnded), "parent-watch");
    watch.setDaemon(true);
    watch.start();
    try (Servers servers = starter.start()) {
      out.println(readyLine(servers.ports()));
      ready.countDown();
      parentEnded.await();
    }
    // Threads of a server that closes badly must not keep the process alive.
    System.exit(0);
  }

  private static void watchParent(
      InputStream in, CountDownLatch ready, CountDownLatch parentEnded) {
    try {
      while (in.read() >= 0) {
        // Only the end matters.
      }
    } catch (IOException e) {
      // The end as well.
    }
    parentEnded.countDown();
    if (ready.getCount() > 0) {
      // Nobody is left to be told of a start, which may hang.
      Runtime.getRuntime().halt(0);
    }
  }

  private static String readyLine(List<Integer> ports) {
    return READY + ports.stream().map(port -> " " + port).collect(Collectors.joining());
  }
}
