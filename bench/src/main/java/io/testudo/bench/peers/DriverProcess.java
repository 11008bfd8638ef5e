package io.testudo.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.testudo.bench.driver.PeerDriver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The process that drives one system: told what to do line by line, it answers each line with one.
 * Whatever else it does - end, hang, talk nonsense - is a {@link DriverException}, and no process
 * of it is left then.
 */
final class DriverProcess implements AutoCloseable {
  private static final Duration END_WITHIN = Duration.ofSeconds(20);
  private static final int MAX_LAST_WORDS = 8;

  private final String name;
  private final Process process;
  private final Writer lines;

  /** What it answers; empty when it has ended. */
  private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();

  private final Deque<String> lastWords = new ArrayDeque<>();

  private DriverProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.lines = process.outputWriter(UTF_8);
  }

  static DriverProcess launch(String name, List<String> command, Path directory)
      throws IOException {
    Process process = new ProcessBuilder(command).directory(directory.toFile()).start();
    DriverProcess driver = new DriverProcess(name, process);
    startReader("answers of " + name, driver::readAnswers);
    startReader("errors of " + name, driver::readErrors);
    return driver;
  }

  private static void startReader(String name, Runnable reader) {
    Thread thread = new Thread(reader, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void readAnswers() {
    try (BufferedReader reader = process.inputReader(UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        answers.add(Optional.of(line));
      }
    } catch (IOException e) {
      // The end as well.
    }
    answers.add(Optional.empty());
  }

  /** Until the end: a pipe that nobody reads would block it. */
  private void readErrors() {
    try (BufferedReader reader = process.errorReader(UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (lastWords) {
          lastWords.addLast(line.strip());
          if (lastWords.size() > MAX_LAST_WORDS) {
            lastWords.removeFirst();
          }
        }
      }
    } catch (IOException e) {
      // The end as well.
    }
  }

  /**
   * Tells it something, and waits for the answer.
   *
   * @param word with which the answer begins
   * @return what follows that word
   * @throws DriverException if it gives another answer, or none in time
   */
  String tell(String line, String word, Duration within)
      throws DriverException, InterruptedException {
    try {
      lines.write(line + "\n");
      lines.flush();
    } catch (IOException e) {
      throw ended(line);
    }
    Optional<String> answer = answers.poll(within.toMillis(), TimeUnit.MILLISECONDS);
    if (answer == null) {
      kill();
      throw new DriverException(
          "%s did not answer '%s' within %d s%s".formatted(name, line, within.toSeconds(), said()),
          true);
    }
    if (answer.isEmpty()) {
      throw ended(line);
    }
    String text = answer.get();
    if (text.equals(word) || text.startsWith(word + " ")) {
      return text.substring(word.length()).strip();
    }
    if (text.startsWith(PeerDriver.FAILED + " ")) {
      throw new DriverException(
          "%s: %s".formatted(name, text.substring(PeerDriver.FAILED.length() + 1)), false);
    }
    throw nonsense(line, text);
  }

  /** Whoever talks nonsense is not asked again. */
  DriverException nonsense(String line, String answer) {
    kill();
    return new DriverException(
        "%s answered '%s' to '%s', which means nothing".formatted(name, answer, line), true);
  }

  private DriverException ended(String line) {
    kill();
    return new DriverException(
        "%s ended with %d, and did not answer '%s'%s"
            .formatted(name, process.exitValue(), line, said()),
        true);
  }

  private String said() {
    synchronized (lastWords) {
      return lastWords.isEmpty() ? "" : "; it said: " + String.join(" / ", lastWords);
    }
  }

  /** Ends it with its servers: in order first, and in any case. */
  @Override
  public void close() {
    try {
      if (process.isAlive()) {
        lines.write(PeerDriver.END + "\n");
        lines.flush();
        boolean unused = process.waitFor(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (IOException e) {
      // It has ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      kill();
    }
  }

  /** Ends it and all that it started, at once. Returns when they are gone. */
  void kill() {
    List<ProcessHandle> servers = process.descendants().toList();
    process.destroyForcibly().onExit().join();
    for (ProcessHandle server : servers) {
      boolean unused = server.destroyForcibly();
    }
    servers.forEach(server -> server.onExit().join());
  }
}
