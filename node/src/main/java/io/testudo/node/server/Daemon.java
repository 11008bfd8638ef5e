package io.testudo.node.server;

import io.testudo.client.config.WatchedFiles;
import io.testudo.node.CommandException;
import io.testudo.node.Signals;
import io.testudo.node.config.LogSettings;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.log.Logging;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.runtime.FatalHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that lives as a process: it hears signals and has an address for operators. */
public final class Daemon implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

  /** What a daemon waits for. */
  private enum Occasion {
    STOP,
    RELOAD
  }

  private final Path file;
  private final ServerLoops loops;
  private final ServerNode node;
  private final @Nullable AdminEndpoint admin;
  private final BlockingQueue<Occasion> occasions;
  private final ReloadRounds<Occasion> rounds;

  private Daemon(
      Path file,
      ServerLoops loops,
      ServerNode node,
      @Nullable AdminEndpoint admin,
      BlockingQueue<Occasion> occasions,
      ReloadRounds<Occasion> rounds) {
    this.file = file;
    this.loops = loops;
    this.node = node;
    this.admin = admin;
    this.occasions = occasions;
    this.rounds = rounds;
  }

  /**
   * Starts a server; it serves when this returns.
   *
   * @throws CommandException if it cannot start, with what to do
   */
  public static Daemon start(Path file) {
    return start(file, false);
  }

  /**
   * As {@link #start(Path)}.
   *
   * @param readmit whether an operator lets the server in again, though it has lost its memory
   */
  public static Daemon start(Path file, boolean readmit) {
    ServerConfig config = ServerConfig.read(file);
    BlockingQueue<Occasion> occasions = new LinkedBlockingQueue<>();
    ReloadRounds<Occasion> rounds = new ReloadRounds<>(occasions, config.watched());
    use(config.log());
    if (readmit) {
      List<String> missing =
          Journals.readmit(config.data(), config.cluster().name(), config.self(), config.common());
      if (missing.isEmpty()) {
        LOG.warn("has all its journals, so that --readmit changes nothing: leave it out");
      } else {
        LOG.warn("is readmitted; new journals: {}", missing);
      }
    }
    Journals journals =
        Journals.in(
            config.data(),
            config.cluster().name(),
            config.self(),
            JournalOptions.defaults().withSurvives(config.survives()).withFatalHandler(Daemon::end),
            readmit ? Enrolment.RETURNING : Enrolment.EXPECTED);
    ServerLoops loops = ServerLoops.start(1);
    ServerNode node = null;
    try {
      node =
          ServerNode.start(config, journals, loops, (machine, cause) -> FatalHandler.halt(cause));
      AdminEndpoint admin =
          config.admin().isPresent() ? AdminEndpoint.start(config.admin().get(), node) : null;
      Daemon daemon = new Daemon(file, loops, node, admin, occasions, rounds);
      daemon.ownTheProcess();
      LOG.atInfo()
          .addKeyValue("cluster", config.cluster().name())
          .addKeyValue("server", config.self())
          .addKeyValue("listen", config.listen())
          .addKeyValue("incarnation", node.incarnation())
          .log("serves");
      return daemon;
    } catch (RuntimeException e) {
      if (node != null) {
        node.close();
      }
      loops.close();
      throw e;
    }
  }

  private static void use(LogSettings log) {
    Logging.use(log.level().name(), log.format() == LogSettings.Format.JSON);
  }

  /**
   * The process ends at once: what it promised next could not be kept. One disk has several
   * journals; of those that fail together the first says why.
   */
  private static synchronized void end(String line, Throwable cause) {
    try {
      LOG.error(line);
    } finally {
      FatalHandler.halt(cause);
    }
  }

  private void ownTheProcess() {
    // Threads that we do not know of must not die in silence either.
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, cause) ->
            end(
                "The server ends, since its thread %s failed (%s)."
                    .formatted(thread.getName(), cause),
                cause));
    boolean term = Signals.onSignal("TERM", () -> occasions.add(Occasion.STOP));
    boolean interrupt = Signals.onSignal("INT", () -> occasions.add(Occasion.STOP));
    boolean hangUp = Signals.onSignal("HUP", () -> occasions.add(Occasion.RELOAD));
    if (!term || !interrupt) {
      LOG.warn("this Java hears no signals: the server cannot be told to stop in order");
    }
    if (!hangUp || Signals.isIgnored("HUP")) {
      LOG.warn(
          "SIGHUP does not reach this server (as under nohup), so that it cannot be told to reload:"
              + " restart it after changes, or start it with setsid or from a service manager");
    }
  }

  public String cluster() {
    return node.config().cluster().name();
  }

  public String server() {
    return node.self().toString();
  }

  public String listen() {
    return node.config().listen().toString();
  }

  /** Where operators ask, or null. */
  public @Nullable String admin() {
    return admin == null ? null : node.config().admin().map(Object::toString).orElse(null);
  }

  /** Waits until the server is told to stop. One that breaks ends the process instead. */
  public void await() throws InterruptedException {
    while (true) {
      switch (rounds.next(Occasion.RELOAD)) {
        case STOP -> {
          LOG.info("stops");
          return;
        }
        case RELOAD -> rounds.read(this::reload);
      }
    }
  }

  private WatchedFiles reload() {
    ServerConfig fresh = ServerConfig.read(file);
    List<String> later = node.reload(fresh);
    use(fresh.log());
    LOG.atInfo()
        .addKeyValue("principals", fresh.cluster().rights().principals().size())
        .log("took limits and rights anew");
    if (!later.isEmpty()) {
      LOG.warn("these have changed too, and wait for a restart: {}", String.join(", ", later));
    }
    return fresh.watched();
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close();
    }
    node.close();
    loops.close();
  }
}
