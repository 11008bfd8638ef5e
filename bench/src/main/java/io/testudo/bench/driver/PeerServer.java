package io.testudo.bench.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The process of one server, which may be killed and started again. */
public final class PeerServer {
  private static final int END_WITHIN_SECONDS = 5;

  private final List<String> command;
  private final Path directory;
  private final Path log;
  private @Nullable Process process;

  PeerServer(List<String> command, Path directory, Path log) {
    this.command = List.copyOf(command);
    this.directory = directory;
    this.log = log;
  }

  /** Starts it, again if it was killed, with what it finds in its directory. */
  void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
  }

  Path log() {
    return log;
  }

  private Process process() {
    if (process == null) {
      throw new IllegalStateException("it was never started");
    }
    return process;
  }

  void requireAlive() throws IOException {
    if (!process().isAlive()) {
      throw new IOException("a server ended with %d".formatted(process().exitValue()));
    }
  }

  /** The process that serves: a program of the system has a shell before it. */
  ProcessHandle serving() {
    ProcessHandle own = process().toHandle();
    return own.children().findFirst().orElse(own);
  }

  /** What it has computed so far, in this life. */
  Duration cpu() {
    return serving().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Tells it something, if it listens. */
  public void tell(String line) throws IOException {
    OutputStream in = process().getOutputStream();
    in.write((line + "\n").getBytes(UTF_8));
    in.flush();
  }

  /** Ends it at once, as a power failure of its machine would. Returns when it is gone. */
  void kill() {
    List<ProcessHandle> below = process().descendants().toList();
    below.forEach(ProcessHandle::destroyForcibly);
    process().destroyForcibly().onExit().join();
    below.forEach(child -> child.onExit().join());
  }

  /** It is to end by itself. */
  void endInput() {
    try {
      process().getOutputStream().close();
    } catch (IOException e) {
      // It has ended.
    }
  }

  /** It has to end. */
  void end() {
    try {
      boolean unused = process().waitFor(END_WITHIN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      kill();
    }
  }
}
