package io.testudo.bench.driver;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Harms one server, and mends it. A server that stands still cannot notice that its parent is gone:
 * so a shell holds it that does, however this process ends, and that no signal of a terminal ends.
 */
final class HarmedServer implements HarmTrial.Harmed {
  private static final String GO_ON = "go-on";

  /** The process is stopped until a line comes; without one its owner is gone, and it goes, too. */
  private static final String STOPPER =
      "trap '' INT TERM HUP; kill -STOP \"$1\"; read -r word; kill -CONT \"$1\";"
          + " [ \"$word\" = "
          + GO_ON
          + " ] || kill -KILL \"$1\"";

  /** The same, but it goes on for a moment again and again. */
  private static final String LAGGER =
      "trap '' INT TERM HUP;"
          + " (while kill -STOP \"$1\"; do sleep \"$2\"; kill -CONT \"$1\"; sleep \"$3\"; done) &"
          + " read -r word; kill -KILL $!; kill -CONT \"$1\";"
          + " [ \"$word\" = "
          + GO_ON
          + " ] || kill -KILL \"$1\"";

  /** How long a server that lags stands still, and how long it works then, in seconds. */
  private static final String STILL = "0.05";

  private static final String WORKING = "0.01";

  private static final int SHELL_WITHIN_SECONDS = 20;

  private final PeerServer server;
  private final ServerHarm harm;
  private final PeerSystem system;
  private @Nullable Process holder;

  private HarmedServer(PeerServer server, ServerHarm harm, PeerSystem system) {
    this.server = server;
    this.harm = harm;
    this.system = system;
  }

  /** From now on the server is harmed. */
  static HarmedServer harm(PeerServer server, ServerHarm harm, PeerSystem system)
      throws IOException {
    HarmedServer harmed = new HarmedServer(server, harm, system);
    switch (harm) {
      case KILL -> server.kill();
      case STOP -> harmed.hold(STOPPER);
      case LAG -> harmed.hold(LAGGER);
      case LIE -> system.lie(true);
    }
    return harmed;
  }

  private void hold(String script) throws IOException {
    holder =
        new ProcessBuilder(
                "sh", "-c", script, "sh", Long.toString(server.serving().pid()), STILL, WORKING)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
  }

  /** It is as before, or on its way there. */
  @Override
  public void mend() throws IOException, InterruptedException {
    switch (harm) {
      case KILL -> server.start();
      case STOP, LAG -> letGo();
      case LIE -> system.lie(false);
    }
  }

  private void letGo() throws IOException, InterruptedException {
    Process shell = holder;
    if (shell != null) {
      shell.outputWriter().append(GO_ON).append('\n').flush();
      if (!shell.waitFor(SHELL_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("a stopped server could not be let go");
      }
      holder = null;
    }
  }

  /** Whoever was not mended does not stay stopped. */
  @Override
  public void close() throws IOException {
    Process shell = holder;
    if (shell != null) {
      shell.outputWriter().close(); // It kills the server, and ends.
    }
  }
}
