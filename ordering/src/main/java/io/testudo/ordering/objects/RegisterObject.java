package io.testudo.ordering.objects;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A value that is set as a whole. It begins empty. */
public final class RegisterObject {
  private static final Codec<Optional<Bytes>> VALUE = Codec.optional(Codec.BYTES);

  /** Empty clears it. */
  public static final Operation<Optional<Bytes>, Optional<Bytes>, Nothing> SET =
      Operation.of(1, "set", VALUE, Codec.NOTHING)
          .changing((before, value) -> Change.to(value, Nothing.NOTHING));

  /** Gives the value before. */
  public static final Operation<Optional<Bytes>, Optional<Bytes>, Optional<Bytes>> GET_AND_SET =
      Operation.of(2, "getAndSet", VALUE, VALUE)
          .changing((before, value) -> Change.to(value, before));

  public static final Operation<Optional<Bytes>, Swap, Boolean> COMPARE_AND_SET =
      Operation.of(3, "compareAndSet", Swap.CODEC, Codec.BOOLEAN)
          .changing(
              (before, swap) ->
                  before.equals(swap.expected())
                      ? Change.to(swap.value(), true)
                      : Change.none(false));

  public static final ObjectType<Optional<Bytes>> TYPE =
      ObjectType.of(2, "register", VALUE, Optional.<Bytes>empty())
          .with(SET)
          .with(GET_AND_SET)
          .with(COMPARE_AND_SET);

  /**
   * Sets a value if it is another one.
   *
   * @param expected what it must be; empty if there must be none
   * @param value empty to clear it
   */
  public record Swap(Optional<Bytes> expected, Optional<Bytes> value) {
    static final Codec<Swap> CODEC =
        Codec.of(
            (swap, out) -> {
              VALUE.write(swap.expected(), out);
              VALUE.write(swap.value(), out);
            },
            in -> new Swap(VALUE.read(in), VALUE.read(in)));
  }

  private final ReplicatedObject<Optional<Bytes>> object;

  private RegisterObject(ReplicatedObject<Optional<Bytes>> object) {
    this.object = object;
  }

  public static RegisterObject open(ObjectSpace space, String name) {
    return new RegisterObject(space.open(name, TYPE));
  }

  public CompletableFuture<Nothing> set(Bytes value) {
    return object.submit(SET, Optional.of(value));
  }

  /** As {@link #set(Bytes)}, with text in UTF-8. */
  public CompletableFuture<Nothing> set(String value) {
    return set(Bytes.utf8(value));
  }

  public CompletableFuture<Nothing> clear() {
    return object.submit(SET, Optional.empty());
  }

  /** Gives the value before. */
  public CompletableFuture<Optional<Bytes>> getAndSet(Bytes value) {
    return object.submit(GET_AND_SET, Optional.of(value));
  }

  /**
   * Whether it was as expected and has changed.
   *
   * @param expected empty if there must be no value
   */
  public CompletableFuture<Boolean> compareAndSet(Optional<Bytes> expected, Bytes value) {
    return object.submit(COMPARE_AND_SET, new Swap(expected, Optional.of(value)));
  }

  /** As {@link #compareAndSet(Optional, Bytes)}, with texts in UTF-8. */
  public CompletableFuture<Boolean> compareAndSet(String expected, String value) {
    return compareAndSet(Optional.of(Bytes.utf8(expected)), Bytes.utf8(value));
  }

  public CompletableFuture<Optional<Bytes>> get() {
    return object.read(Function.identity());
  }

  /** See {@link ReplicatedObject#readStale}. */
  public CompletableFuture<Optional<Bytes>> getStale() {
    return object.readStale(Function.identity());
  }

  /** The same, with another time limit for calls. */
  public RegisterObject withTimeout(Duration timeout) {
    return new RegisterObject(object.withTimeout(timeout));
  }

  /** The same, with calls that ask these servers first; see {@link ReplicatedObject#withAccess}. */
  public RegisterObject withAccess(Access first) {
    return new RegisterObject(object.withAccess(first));
  }

  /** For all that any object can do. */
  public ReplicatedObject<Optional<Bytes>> object() {
    return object;
  }
}
