package io.testudo.node.client;

import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Signals;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a command under a lock. Everything that happens is put into a queue and handled by one
 * thread, so that a loss, a signal and the end of the command cannot cross.
 */
public final class LockedRun {
  private static final int SIGNAL_BASE = 128;

  private final ClusterClient cluster;
  private final TestudoClient client;
  private final List<String> command;
  private final Duration grace;
  private final Consumer<Happening> listener;
  private final Consumer<String> notes;
  private final BlockingQueue<Occasion> occasions = new LinkedBlockingQueue<>();

  /**
   * What happened to the lock.
   *
   * @param event acquired, lost or released
   */
  public record Happening(String event, @Nullable Long fence, @Nullable Integer exitCode) {}

  /** What a run waits for. */
  private sealed interface Occasion {
    record Acquired(Lease lease) implements Occasion {}

    record Failed(Throwable cause) implements Occasion {}

    record Lost() implements Occasion {}

    record Ended(int exitCode) implements Occasion {}

    record Signalled(Signal signal) implements Occasion {}
  }

  /** Signals that are passed on to the command. */
  private enum Signal {
    HUP(1),
    INT(2),
    TERM(15);

    final int number;

    Signal(int number) {
      this.number = number;
    }
  }

  /**
   * Prepares a run.
   *
   * @param listener hears what happens to the lock
   * @param notes hears sentences for people
   */
  public LockedRun(
      TestudoClient client,
      List<String> command,
      Duration grace,
      Consumer<Happening> listener,
      Consumer<String> notes) {
    this.cluster = client.unwrap(ClusterClient.class);
    this.client = client;
    this.command = List.copyOf(command);
    this.grace = grace;
    this.listener = listener;
    this.notes = notes;
  }

  /**
   * Waits for the lock and runs the command.
   *
   * @return the exit code for this process
   */
  public int run(String name, LockOptions options) throws InterruptedException {
    for (Signal signal : Signal.values()) {
      // Where signals are not heard, this process ends by them, and the lock with its hold.
      boolean unused =
          Signals.onSignal(signal.name(), () -> occasions.add(new Occasion.Signalled(signal)));
    }
    CompletableFuture<Lease> asked = ask(name, options);
    @Nullable Lease lease = null;
    while (lease == null) {
      Occasion step = occasions.poll(cluster.config().timeout().toNanos(), TimeUnit.NANOSECONDS);
      if (step instanceof Occasion.Acquired acquired) {
        lease = acquired.lease();
      } else if (step instanceof Occasion.Failed failed) {
        throw explain(name, failed.cause());
      } else if (step instanceof Occasion.Signalled signalled) {
        boolean unused = asked.cancel(false);
        return SIGNAL_BASE + signalled.signal().number;
      } else {
        notes.accept(
            "still waits for '%s'; %s%s"
                .formatted(
                    name,
                    cluster.states(),
                    cluster.whoGrantsLater().map(who -> "; " + who).orElse("")));
      }
    }
    listener.accept(new Happening("acquired", tokenOf(lease), null));
    try (Lease held = lease) {
      int code = runUnder(held);
      listener.accept(new Happening("released", tokenOf(held), code));
      return code;
    }
  }

  /** Null where the backend has none. */
  private static @Nullable Long tokenOf(Lease lease) {
    return lease.hasFencingToken() ? lease.fencingToken() : null;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future only fills the queue.
  private CompletableFuture<Lease> ask(String name, LockOptions options) {
    try {
      CompletableFuture<Lease> asked = client.lock(name, options).acquireAsync();
      asked.whenComplete(
          (lease, failure) ->
              occasions.add(
                  failure == null ? new Occasion.Acquired(lease) : new Occasion.Failed(failure)));
      return asked;
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.NOT_RUN, String.valueOf(e.getMessage()), e);
    }
  }

  private CommandException explain(String name, Throwable failure) throws InterruptedException {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof NotAcquiredException late) {
      return new CommandException(
          ExitCode.NOT_ACQUIRED,
          late.problem()
              + (late.reasons().isEmpty()
                  ? "; wait longer, or see who has it with 'testudo locks'."
                  : "; wait longer."),
          cause);
    }
    if (cause instanceof TestudoException told) {
      Optional<String> later =
          told instanceof NoQuorumException ? cluster.whoGrantsLater() : Optional.empty();
      if (later.isPresent()) {
        return new CommandException(
            ExitCode.NOT_ACQUIRED,
            "The lock '%s' was not granted: %s.".formatted(name, later.get()),
            cause);
      }
      return Failures.explain(cluster, told, ExitCode.NOT_RUN);
    }
    throw new IllegalStateException(cause);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future only fills the queue.
  private int runUnder(Lease lease) throws InterruptedException {
    Map<String, String> environment = new TreeMap<>();
    environment.put("TESTUDO_LOCK", lease.lockName());
    Long token = tokenOf(lease);
    if (token != null) {
      environment.put("TESTUDO_FENCE", Long.toString(token));
    }
    ChildGroup child = ChildGroup.start(command, environment);
    child.onExit().thenAccept(code -> occasions.add(new Occasion.Ended(code)));
    lease.onLost(() -> occasions.add(new Occasion.Lost()));
    boolean signalled = false;
    while (true) {
      Occasion step = occasions.take();
      if (step instanceof Occasion.Ended ended) {
        return ended.exitCode();
      } else if (step instanceof Occasion.Lost) {
        listener.accept(new Happening("lost", tokenOf(lease), null));
        notes.accept("the lock '%s' was lost; ends the command".formatted(lease.lockName()));
        end(child);
        return ExitCode.LOST;
      } else if (step instanceof Occasion.Signalled signal) {
        if (signalled) {
          child.kill(); // Asked twice.
        } else {
          child.signal(signal.signal().name());
        }
        signalled = true;
      }
    }
  }

  /** The group is asked to end, and after the grace it is made to. */
  private void end(ChildGroup child) throws InterruptedException {
    child.signal("TERM");
    long deadlineNanos = System.nanoTime() + grace.toNanos();
    boolean ended = false;
    while (!ended) {
      Occasion step = occasions.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (step == null) {
        break;
      }
      ended = step instanceof Occasion.Ended;
    }
    // Also what the command has left behind.
    child.kill();
    while (!ended) {
      ended = occasions.take() instanceof Occasion.Ended;
    }
  }
}
