package io.testudo.client.keeping;

import io.testudo.ordering.Applied;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.OperationId;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.VersionListener;
import io.testudo.ordering.client.AwaitChange;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.sim.ClientPort;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** An object on a client machine of the simulator. */
final class SimulatedObject<S> implements ReplicatedObject<S> {
  static final String NAME = "ledger";
  private static final long MILLI = 1_000_000L;
  private static final int MOST_BYTES = 1 << 20;

  private final ClientPort port;
  private final ObjectType<S> type;
  private final ObjectModel<S> model;
  private final Duration timeout;
  private final Runnable whenTold;

  /** An operation, or what it changed, as bytes. */
  private record Coded(int number, Bytes argument) {
    private static final Codec<Coded> CODEC =
        Codec.of(
            (coded, out) -> out.writeLong(coded.number()).writeBytes(coded.argument()),
            in -> new Coded(Math.toIntExact(in.readLong()), in.readBytes()));

    Bytes toBytes() {
      return CODEC.encode(this, MOST_BYTES, "operation");
    }
  }

  SimulatedObject(ClientPort port, ObjectType<S> type, Duration timeout, Runnable whenTold) {
    this.port = port;
    this.type = type;
    this.model = new Model<>(type);
    this.timeout = timeout;
    this.whenTold = whenTold;
  }

  private record Model<S>(ObjectType<S> type) implements ObjectModel<S> {
    @Override
    public S initial() {
      return type.initial();
    }

    @Override
    public Change<S> apply(S state, Bytes operation) {
      Coded coded = Coded.CODEC.decode(operation);
      return apply(type.operation(coded.number()).orElseThrow(), state, coded);
    }

    private static <S, A, R> Change<S> apply(Operation<S, A, R> operation, S state, Coded coded) {
      Operation.Step<S, R> step =
          operation.apply(state, operation.arguments().decode(coded.argument()));
      Bytes effect =
          step.delta().map(it -> new Coded(coded.number(), it).toBytes()).orElse(Bytes.EMPTY);
      return new Change<>(
          step.after(), operation.results().encode(step.result(), MOST_BYTES, "result"), effect);
    }

    @Override
    public S replay(S state, Bytes effect) {
      if (effect.size() == 0) {
        return state;
      }
      Coded coded = Coded.CODEC.decode(effect);
      return type.operation(coded.number()).orElseThrow().replay(state, coded.argument());
    }

    @Override
    public Bytes encode(S state) {
      return type.encode(state);
    }

    @Override
    public S decode(Bytes state) {
      return type.codec(1).orElseThrow().decode(state);
    }
  }

  private static <T> CallListener<T> completing(CompletableFuture<T> future) {
    return new CallListener<>() {
      @Override
      public void completed(T result) {
        future.complete(result);
      }

      @Override
      public void failed(TestudoException reason) {
        future.completeExceptionally(reason);
      }
    };
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ObjectType<S> type() {
    return type;
  }

  @Override
  public <A, R, V> CompletableFuture<V> submit(
      Operation<S, A, R> operation, A argument, Function<? super Applied<R>, ? extends V> view) {
    Bytes sent = operation.arguments().encode(argument, MOST_BYTES, "argument");
    CompletableFuture<OperationResult> answer = new CompletableFuture<>();
    port.call(
        new SubmitOperation(
            NAME, model, new Coded(operation.number(), sent).toBytes(), timeout.toNanos()),
        completing(answer));
    return answer.thenApply(
        result ->
            view.apply(
                new Applied<>(
                    result.id().toOperationId(),
                    result.version(),
                    operation.results().decode(result.result()))));
  }

  @Override
  public Subscription onVersion(VersionListener<S> listener) {
    boolean[] closed = new boolean[1];
    look(listener, closed, -1);
    return () -> closed[0] = true;
  }

  @SuppressWarnings("unchecked") // The state is of the model that was given with the call.
  private void look(VersionListener<S> listener, boolean[] closed, long known) {
    if (closed[0]) {
      return;
    }
    CompletableFuture<ReadResult> answer = new CompletableFuture<>();
    port.call(ReadObject.published(NAME, model, 500 * MILLI), completing(answer));
    var unused =
        answer.whenComplete(
            (read, error) -> {
              if (error != null) {
                port.after(50 * MILLI, () -> look(listener, closed, known));
                return;
              }
              if (read.version() > known && !closed[0]) {
                listener.onVersion(new Snapshot<>(read.version(), (S) read.state()));
              }
              await(listener, closed, Math.max(known, read.version()));
            });
  }

  private void await(VersionListener<S> listener, boolean[] closed, long known) {
    CompletableFuture<Boolean> change = new CompletableFuture<>();
    port.call(new AwaitChange(NAME, known, 2_000 * MILLI), completing(change));
    var unused =
        change.whenComplete(
            (told, error) -> {
              if (Boolean.TRUE.equals(told)) {
                whenTold.run();
              }
              port.after(10 * MILLI, () -> look(listener, closed, known));
            });
  }

  @Override
  public ReplicatedObject<S> withTimeout(Duration limit) {
    return new SimulatedObject<>(port, type, limit, whenTold);
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public <R> CompletableFuture<Optional<Applied<R>>> outcomeOf(
      OperationId id, Operation<S, ?, R> operation) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V> CompletableFuture<V> readVersion(Function<? super Snapshot<S>, ? extends V> view) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V> CompletableFuture<V> readStaleVersion(
      Function<? super Snapshot<S>, ? extends V> view) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ReplicatedObject<S> withAccess(Access first) {
    return this;
  }

  @Override
  public CompletableFuture<Boolean> delete() {
    throw new UnsupportedOperationException("no recipe does that");
  }

  @Override
  public CompletableFuture<Boolean> sweep() {
    throw new UnsupportedOperationException("no recipe does that");
  }

  @Override
  public CompletableFuture<Boolean> expireAfter(TimeToLive time) {
    throw new UnsupportedOperationException("no recipe does that");
  }

  @Override
  public CompletableFuture<Optional<Instant>> expiry() {
    throw new UnsupportedOperationException("no recipe does that");
  }

  @Override
  public ReplicatedObject<S> createdWith(TimeToLive time) {
    throw new UnsupportedOperationException("no recipe does that");
  }
}
