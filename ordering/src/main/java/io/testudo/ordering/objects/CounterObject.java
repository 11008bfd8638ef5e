package io.testudo.ordering.objects;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.quorum.Access;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A number that is counted up and down. It begins at 0; beyond the range of a long it fails. */
public final class CounterObject {
  public static final Operation<Long, Long, Long> ADD =
      Operation.of(1, "add", Codec.LONG, Codec.LONG)
          .changing(
              (value, amount) -> {
                long sum = Math.addExact(value, amount);
                return Change.to(sum, sum);
              });

  /** Gives the number before. */
  public static final Operation<Long, Long, Long> SET =
      Operation.of(2, "set", Codec.LONG, Codec.LONG)
          .changing((before, value) -> Change.to(value, before));

  public static final Operation<Long, Swap, Boolean> COMPARE_AND_SET =
      Operation.of(3, "compareAndSet", Swap.CODEC, Codec.BOOLEAN)
          .changing(
              (value, swap) ->
                  value == swap.expected() ? Change.to(swap.value(), true) : Change.none(false));

  public static final ObjectType<Long> TYPE =
      ObjectType.of(1, "counter", Codec.LONG, 0L).with(ADD).with(SET).with(COMPARE_AND_SET);

  /**
   * Sets a number if it is another one.
   *
   * @param expected what it must be
   */
  public record Swap(long expected, long value) {
    static final Codec<Swap> CODEC =
        Codec.of(
            (swap, out) -> out.writeLong(swap.expected()).writeLong(swap.value()),
            in -> new Swap(in.readLong(), in.readLong()));
  }

  private final ReplicatedObject<Long> object;

  private CounterObject(ReplicatedObject<Long> object) {
    this.object = object;
  }

  public static CounterObject open(ObjectSpace space, String name) {
    return new CounterObject(space.open(name, TYPE));
  }

  /** The number after it was counted up, or down by a negative amount. */
  public CompletableFuture<Long> increment(long amount) {
    return object.submit(ADD, amount);
  }

  /** As {@link #increment(long)}, by 1. */
  public CompletableFuture<Long> increment() {
    return increment(1);
  }

  /** Gives the number before. */
  public CompletableFuture<Long> set(long value) {
    return object.submit(SET, value);
  }

  /** Whether it was as expected and has changed. */
  public CompletableFuture<Boolean> compareAndSet(long expected, long value) {
    return object.submit(COMPARE_AND_SET, new Swap(expected, value));
  }

  public CompletableFuture<Long> get() {
    return object.read(Function.identity());
  }

  /** See {@link ReplicatedObject#readStale}. */
  public CompletableFuture<Long> getStale() {
    return object.readStale(Function.identity());
  }

  /** The same, with another time limit for calls. */
  public CounterObject withTimeout(Duration timeout) {
    return new CounterObject(object.withTimeout(timeout));
  }

  /** The same, with calls that ask these servers first; see {@link ReplicatedObject#withAccess}. */
  public CounterObject withAccess(Access first) {
    return new CounterObject(object.withAccess(first));
  }

  /** For all that any object can do. */
  public ReplicatedObject<Long> object() {
    return object;
  }
}
