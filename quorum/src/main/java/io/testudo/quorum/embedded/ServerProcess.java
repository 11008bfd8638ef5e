package io.testudo.quorum.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Servers in a virtual machine of their own: the same Java and classes, one main class that calls
 * {@link ChildMain#run}. It does not outlive this process: its standard input closes with us, and a
 * shutdown hook ends it on the way out.
 */
public final class ServerProcess implements AutoCloseable {
  /** Generous: a hang guard on a loaded machine, not an expectation. */
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  private static final Duration END_WITHIN = Duration.ofSeconds(10);
  private static final int MAX_LAST_WORDS = 20;
  private static final int JAVA_THAT_WARNS_OF_NATIVE_CODE = 22;
  private static final Splitter SPACES = Splitter.on(' ').omitEmptyStrings();

  private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> LIVE.forEach(Process::destroyForcibly), "end-servers"));
  }

  private final String name;
  private final Process process;
  private final Duration readyWithin;
  private final Duration endWithin;
  private final CompletableFuture<ImmutableList<Integer>> ready = new CompletableFuture<>();
  private final Deque<String> lastWords = new ArrayDeque<>();

  private ServerProcess(String name, Process process, Duration readyWithin, Duration endWithin) {
    this.name = name;
    this.process = process;
    this.readyWithin = readyWithin;
    this.endWithin = endWithin;
  }

  /**
   * Starts a child and waits until it is ready.
   *
   * @throws IOException if it ends before, or is not ready in time; it is gone then
   */
  public static ServerProcess start(Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    return start(main, arguments, READY_WITHIN, END_WITHIN);
  }

  static ServerProcess start(
      Class<?> main, List<String> arguments, Duration readyWithin, Duration endWithin)
      throws IOException, InterruptedException {
    ServerProcess server = launch(main, List.of(), arguments, readyWithin, endWithin);
    server.awaitReady();
    return server;
  }

  /**
   * Starts a child; {@link #awaitReady} must follow.
   *
   * @param options of the virtual machine; those of this one that begin with -X override them
   */
  public static ServerProcess launch(Class<?> main, List<String> options, List<String> arguments)
      throws IOException {
    return launch(main, options, arguments, READY_WITHIN, END_WITHIN);
  }

  private static ServerProcess launch(
      Class<?> main,
      List<String> options,
      List<String> arguments,
      Duration readyWithin,
      Duration endWithin)
      throws IOException {
    Process process =
        new ProcessBuilder(command(main, options, arguments)).redirectErrorStream(true).start();
    LIVE.add(process);
    ServerProcess server = new ServerProcess(main.getSimpleName(), process, readyWithin, endWithin);
    Thread reader = new Thread(server::readOutput, "output of " + server.name);
    reader.setDaemon(true);
    reader.start();
    return server;
  }

  /**
   * Waits until the child is ready.
   *
   * @throws IOException if it ends before, or is not ready in time; it is gone then
   */
  public void awaitReady() throws IOException, InterruptedException {
    boolean isReady = false;
    try {
      ready.get(readyWithin.toMillis(), TimeUnit.MILLISECONDS);
      isReady = true;
    } catch (ExecutionException e) {
      throw new IOException("%s ended before it was ready%s".formatted(name, said()), e);
    } catch (TimeoutException e) {
      throw new IOException("%s was not ready within %s%s".formatted(name, readyWithin, said()), e);
    } finally {
      if (!isReady) {
        kill();
      }
    }
  }

  private static List<String> command(Class<?> main, List<String> options, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    // Heap and collector as here, so that TESTUDO_JAVA_OPTS counts for both sides.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-X"))
        .forEach(command::add);
    if (Runtime.version().feature() >= JAVA_THAT_WARNS_OF_NATIVE_CODE) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.add("-cp");
    command.add(
        ChildClassPath.of(
            System.getProperty("java.class.path", ""), System.getProperty("jdk.module.path", "")));
    command.add(main.getName());
    command.addAll(arguments);
    return command;
  }

  /** Until the child ends: a pipe that nobody reads would block it. */
  private void readOutput() {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> words = SPACES.splitToList(line);
        if (!words.isEmpty() && words.get(0).equals(ChildMain.READY)) {
          ready.complete(
              words.stream()
                  .skip(1)
                  .map(Integer::valueOf)
                  .collect(ImmutableList.toImmutableList()));
        } else {
          remember(line);
        }
      }
    } catch (IOException | NumberFormatException e) {
      remember(e.toString());
    }
    ready.completeExceptionally(new IOException("its output ended"));
  }

  private void remember(String line) {
    synchronized (lastWords) {
      lastWords.addLast(line);
      if (lastWords.size() > MAX_LAST_WORDS) {
        lastWords.removeFirst();
      }
    }
  }

  private String said() {
    synchronized (lastWords) {
      return lastWords.isEmpty() ? "" : "; it said: " + String.join(" / ", lastWords);
    }
  }

  /** The ports on loopback that the child announced. */
  public ImmutableList<Integer> ports() {
    return ready.join();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Ends the child: politely first, and in any case. */
  @Override
  public void close() throws IOException {
    try {
      process.getOutputStream().close();
      process.waitFor(endWithin.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      kill();
    }
  }

  /** Ends the child as {@code kill -9} does. Returns when it is gone. */
  public void kill() {
    process.destroyForcibly().onExit().join();
    LIVE.remove(process);
  }
}
