package io.testudo.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.testudo.bench.driver.FakeSystem;
import io.testudo.bench.driver.FakeSystem.Fault;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.WatchedMain;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** A driver that does as the test wants: obeys, dies, hangs or talks nonsense. */
public final class FakeDriver {
  private FakeDriver() {}

  /** A server that lives until its parent ends. */
  public static final class Server {
    private Server() {}

    public static void main(String[] args) throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  /** A {@link Fault} of a driver that obeys; or what to do at a word, such as dies-at run. */
  public static void main(String[] args) throws Exception {
    if (args.length == 1) {
      Fault fault = Fault.valueOf(args[0].toUpperCase(Locale.ROOT).replace('-', '_'));
      PeerDriver.main(
          servers -> {
            System.out.println("libraries print what they like"); // No answer to anything.
            servers.startJava("server", Server.class.getName());
            return new FakeSystem(fault);
          });
      return;
    }
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(args[1])) {
        misbehave(args[0]);
      } else if (line.startsWith(PeerDriver.START)) {
        System.out.println(PeerDriver.READY + " Fake");
      } else if (line.startsWith(PeerDriver.OPEN)) {
        System.out.println(PeerDriver.OPENED);
      } else if (line.startsWith(PeerDriver.RUN)) {
        System.out.println(PeerDriver.ROUND + " 5 10.0 1000 2000 3000");
      } else if (line.startsWith(PeerDriver.CLOSE)) {
        System.out.println(PeerDriver.CLOSED);
      } else if (line.startsWith(PeerDriver.END)) {
        return;
      }
    }
  }

  private static void misbehave(String how) throws Exception {
    switch (how) {
      case "dies-at" -> {
        System.err.println("these are my last words");
        System.exit(7);
      }
      case "hangs-at" -> {
        // With a child that knows of its end.
        Process unused =
            new ProcessBuilder(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    WatchedMain.class.getName(),
                    Server.class.getName())
                .start();
      }
      case "babbles-at" -> System.out.println("forty-two");
      case "miscounts-at" -> System.out.println(PeerDriver.ROUND + " many");
      default -> throw new IllegalArgumentException(how);
    }
  }
}
