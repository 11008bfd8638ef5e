package io.testudo.quorum.netty;

import io.netty.channel.EventLoop;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.runtime.Host;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client machine in use. Calls may come from any thread; futures complete on the client's loop,
 * so what is chained to them must not block.
 */
public final class ClientMachine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClientMachine.class);

  /**
   * Calls of other threads that the loop has not got to yet; what the machine has in progress has
   * limits of its own.
   */
  static final int MAX_HANDED_OVER = 262_144;

  private final AtomicInteger handedOver = new AtomicInteger();
  private final String name;
  private final EventLoop loop;
  private final Host<?> host;
  private final Supplier<Map<ServerId, String>> states;
  private final Consumer<ClientMachine> whenStarted;
  private final Runnable whenStopped;

  /** Touched on the loop only, as is what follows. */
  private boolean started;

  private boolean stopped;

  /** Makes the host of a machine; it hears if that broke. */
  interface HostMaker {
    Host<?> make(Consumer<Throwable> whenBroken);
  }

  ClientMachine(
      String name,
      EventLoop loop,
      HostMaker host,
      Supplier<Map<ServerId, String>> states,
      Consumer<ClientMachine> whenStarted,
      Runnable whenStopped) {
    this.name = name;
    this.loop = loop;
    this.states = states;
    this.whenStarted = whenStarted;
    this.whenStopped = whenStopped;
    this.host = host.make(this::broke);
  }

  /** Has the machine started on its loop, without waiting for it. */
  public ClientMachine begin() {
    if (!onLoop(this::startOnLoop)) {
      throw new ClosedException(Outcome.DID_NOT_HAPPEN);
    }
    return this;
  }

  private void startOnLoop() {
    if (!started && !stopped) {
      started = true;
      whenStarted.accept(this);
      host.start();
    }
  }

  /** Runs something short on the loop after a time; never, if the loop ends before. */
  public void later(long delayNanos, Runnable task) {
    try {
      var unused = loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The machine has ended, and said so.
    }
  }

  /** Asks for something. Cancelling the future gives the call up. */
  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
  public <R> CompletableFuture<R> call(Call<R> call) {
    CompletableFuture<R> future = new CompletableFuture<>();
    OngoingCall ongoing =
        call(
            call,
            new CallListener<R>() {
              @Override
              public void completed(R result) {
                future.complete(result);
              }

              @Override
              public void failed(TestudoException reason) {
                future.completeExceptionally(reason);
              }
            });
    future.whenComplete(
        (result, error) -> {
          if (future.isCancelled()) {
            ongoing.cancel();
          }
        });
    return future;
  }

  /**
   * Asks for something without a future, for callers that count every microsecond.
   *
   * @param whenDone hears the answer once, on the client's loop; if that has ended or has very much
   *     to do, on the caller's thread. It always hears one, unless the call is cancelled first
   */
  public <R> OngoingCall call(Call<R> call, CallListener<R> whenDone) {
    OngoingCall ongoing = new OngoingCall(this);
    if (loop.inEventLoop()) {
      callOnLoop(call, whenDone, ongoing);
      return ongoing;
    }
    if (handedOver.incrementAndGet() > MAX_HANDED_OVER) {
      handedOver.decrementAndGet();
      whenDone.failed(
          new OverloadedException("calls that wait for the connections' thread", MAX_HANDED_OVER));
      return ongoing;
    }
    boolean isTaken =
        onLoop(
            () -> {
              handedOver.decrementAndGet();
              callOnLoop(call, whenDone, ongoing);
            });
    if (!isTaken) {
      handedOver.decrementAndGet();
      whenDone.failed(new ClosedException(call.whenTooLate()));
    }
    return ongoing;
  }

  private <R> void callOnLoop(Call<R> call, CallListener<R> whenDone, OngoingCall ongoing) {
    if (ongoing.isCancelled()) {
      return;
    }
    startOnLoop(); // A call that is made on the loop may come before the start has its turn.
    if (stopped) {
      whenDone.failed(new ClosedException(call.whenTooLate()));
      return;
    }
    ongoing.begun(host.call(call, new Explained<>(whenDone)));
  }

  /** Who did not answer, the protocol knows; why, the connections know. */
  private final class Explained<R> implements CallListener<R> {
    private final CallListener<R> whenDone;

    Explained(CallListener<R> whenDone) {
      this.whenDone = whenDone;
    }

    @Override
    public void completed(R result) {
      whenDone.completed(result);
    }

    @Override
    public void failed(TestudoException reason) {
      whenDone.failed(
          reason instanceof NoQuorumException tooFew ? tooFew.because(states.get()) : reason);
    }
  }

  void cancel(OngoingCall ongoing) {
    var unused =
        onLoop(
            () -> {
              CallId<?> id = ongoing.cancelOnLoop();
              if (id != null) {
                host.cancel(id);
              }
            });
  }

  private boolean onLoop(Runnable task) {
    return onLoop(loop, task);
  }

  /** False if the loop has ended. */
  static boolean onLoop(EventLoop loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return true;
    }
    try {
      loop.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void broke(Throwable cause) {
    try {
      LOG.error("{} broke its own invariant and has stopped", name, cause);
    } finally {
      stopOnLoop();
    }
  }

  void stopOnLoop() {
    if (stopped) {
      return;
    }
    stopped = true;
    host.stop();
    whenStopped.run();
  }

  /** Ends the machine; calls in progress fail. */
  @Override
  public void close() {
    var unused = onLoop(this::stopOnLoop);
  }
}
