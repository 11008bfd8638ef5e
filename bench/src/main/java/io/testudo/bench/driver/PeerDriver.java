package io.testudo.bench.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Round;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The main loop of a driver: lines on standard input say what to do, one line on standard output
 * answers each (docs/bench.md). A driver ends when its input does, so it never outlives the bench;
 * its servers do the same with it.
 */
public final class PeerDriver {
  /** Starts the servers; a directory follows. */
  public static final String START = "start";

  /** Connects callers; {@link PeerWork#line} follows. */
  public static final String OPEN = "open";

  /** Lets them work; the time in nanoseconds follows. */
  public static final String RUN = "run";

  /** Lets them work while a server is harmed and mended; {@link HarmPlan#line} follows. */
  public static final String HARM = "harm";

  /** Checks what they did, and dismisses them. */
  public static final String CLOSE = "close";

  /** Ends all. */
  public static final String END = "end";

  /** Answers to these, in turn; what follows is a version, nothing, figures, nothing. */
  public static final String READY = "ready";

  public static final String OPENED = "opened";
  public static final String ROUND = "round";
  public static final String CLOSED = "closed";

  /** The answer to {@link #HARM}; {@link HarmRecord#line} follows. */
  public static final String HARMED = "harmed";

  /** The answer to anything that did not go well; a reason follows. */
  public static final String FAILED = "failed";

  private final PeerSystem.Starter starter;
  private final PrintStream answers;
  private final List<PeerConnection> clients = new ArrayList<>();
  private @Nullable PeerServers servers;
  private @Nullable PeerSystem system;
  private @Nullable DriverSession session;
  private int opened;

  private PeerDriver(PeerSystem.Starter starter, PrintStream answers) {
    this.starter = starter;
    this.answers = answers;
  }

  /** Runs until it is told to end, and then ends this virtual machine. */
  public static void main(PeerSystem.Starter starter) throws InterruptedException {
    // What libraries print must not look like an answer.
    PrintStream answers = new PrintStream(System.out, true, UTF_8);
    System.setOut(System.err);
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread reader = new Thread(() -> read(System.in, lines), "lines");
    reader.setDaemon(true);
    reader.start();
    new PeerDriver(starter, answers).obey(lines);
    // Threads of a library that closes badly must not keep the process alive.
    Runtime.getRuntime().halt(0);
  }

  private static void read(InputStream in, BlockingQueue<String> lines) {
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      // The end as well.
    }
    // Nobody is left to be answered, whatever is under way. Servers end with their input, too.
    Runtime.getRuntime().halt(0);
  }

  @SuppressWarnings("CatchingUnchecked") // Whatever a library throws is the answer.
  private void obey(BlockingQueue<String> lines) throws InterruptedException {
    for (String line = lines.take(); !line.equals(END); line = lines.take()) {
      String answer;
      try {
        answer = answer(line);
      } catch (Exception | LinkageError e) {
        e.printStackTrace(System.err);
        answer = FAILED + " " + reason(e);
      }
      answers.println(answer.replaceAll("\\s+", " "));
    }
    try {
      end();
    } catch (Exception e) {
      e.printStackTrace(System.err);
    }
  }

  private static String reason(Throwable failure) {
    String message = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    if (message != null
        && (failure instanceof MeasurementException || failure.getClass() == IOException.class)) {
      return message; // A sentence of our own.
    }
    return message == null ? name : name + ": " + message;
  }

  private String answer(String line) throws Exception {
    List<String> words = Arrays.asList(line.split(" ", -1));
    List<String> rest = words.subList(1, words.size());
    return switch (words.get(0)) {
      case START -> READY + " " + start(Path.of(line.substring(START.length() + 1)));
      case OPEN -> open(PeerWork.parse(rest));
      case RUN -> ROUND + " " + figures(openSession().run(Long.parseLong(rest.get(0))));
      case HARM -> HARMED + " " + harm(HarmPlan.parse(rest)).line();
      case CLOSE -> close();
      default -> throw new IllegalArgumentException("no driver knows what '%s' is".formatted(line));
    };
  }

  private String start(Path directory) throws Exception {
    servers = new PeerServers(directory);
    try {
      system = starter.start(servers);
    } catch (Exception e) {
      String said = servers.lastWords();
      throw said.isEmpty()
          ? e
          : new IOException("%s; its servers said: %s".formatted(reason(e), said), e);
    }
    return system.version();
  }

  private String open(PeerWork work) throws Exception {
    if (system == null) {
      throw new IllegalStateException("the servers were not started");
    }
    if (session != null) {
      session.close();
      session = null;
    }
    while (clients.size() < work.clients()) {
      clients.add(system.connect(clients.size()));
    }
    // A name of its own each time: it begins at nothing.
    session = new DriverSession(work, "bench-" + opened, clients);
    opened++;
    return OPENED;
  }

  private DriverSession openSession() {
    if (session == null) {
      throw new IllegalStateException("there are no callers");
    }
    return session;
  }

  /** The busiest server is harmed: where there is a leader, that is it. */
  private HarmRecord harm(HarmPlan plan) throws IOException, InterruptedException {
    if (system == null || servers == null) {
      throw new IllegalStateException("the servers were not started");
    }
    PeerSystem harmed = system;
    List<PeerServer> all = servers.all();
    Map<PeerServer, Duration> computed = new HashMap<>();
    all.forEach(server -> computed.put(server, server.cpu()));
    return openSession()
        .run(
            plan,
            () ->
                HarmedServer.harm(
                    all.stream()
                        .max(
                            Comparator.comparing(
                                server -> server.cpu().minus(computed.get(server))))
                        .orElseThrow(() -> new IOException("there is no server to be harmed")),
                    plan.harm(),
                    harmed));
  }

  private static String figures(Round round) {
    return "%d %s %d %d %d"
        .formatted(
            round.operations(),
            Double.toString(round.opsPerSecond()),
            round.p50Nanos(),
            round.p99Nanos(),
            round.maxNanos());
  }

  private String close() throws Exception {
    try (DriverSession closing = openSession()) {
      session = null;
      closing.check();
      return CLOSED;
    }
  }

  private void end() throws Exception {
    if (session != null) {
      session.close();
    }
    try {
      for (PeerConnection client : clients) {
        client.close();
      }
      if (system != null) {
        system.close();
      }
    } finally {
      if (servers != null) {
        servers.close();
      }
    }
  }
}
