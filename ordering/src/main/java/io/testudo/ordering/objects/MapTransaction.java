package io.testudo.ordering.objects;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Conditions on several keys of one map, what to do if all of them hold, and what else. It is one
 * operation: nothing comes between, and it happens as a whole or not at all.
 *
 * <pre>{@code
 * MapTransaction.Result moved =
 *     map.transaction()
 *         .ifEquals("stock/a", "1")
 *         .ifAbsent("stock/b")
 *         .then(list -> list.remove("stock/a").put("stock/b", "1"))
 *         .otherwise(list -> list.get("stock/a").get("stock/b"))
 *         .submit()
 *         .join();
 * }</pre>
 *
 * For one thread; {@link #submit} may be called again.
 */
public final class MapTransaction {
  private static final Codec<Optional<Bytes>> VALUE = Codec.optional(Codec.BYTES);

  private static final Duration MIN_TTL = Duration.ofMillis(1);

  /** The longest time to live; longer ones are for ever. */
  public static final Duration MAX_TTL = Duration.ofDays(36_500);

  /** What must be true of a key. Numbers are permanent. */
  public enum Check {
    EQUALS(1),
    /** Also true if there is no value. */
    NOT_EQUALS(2),
    ABSENT(3),
    PRESENT(4);

    final int number;

    Check(int number) {
      this.number = number;
    }

    static Check of(long number) {
      return Arrays.stream(values())
          .filter(check -> check.number == number)
          .findFirst()
          .orElseThrow(() -> new MalformedValueException("there is no check " + number));
    }
  }

  /**
   * What must be true of one key.
   *
   * @param value that it is compared with; empty if the check needs none
   */
  public record Condition(Check check, Bytes key, Optional<Bytes> value) {
    static final Codec<Condition> CODEC =
        Codec.of(
            (condition, out) -> {
              out.writeLong(condition.check().number).writeBytes(condition.key());
              VALUE.write(condition.value(), out);
            },
            in -> new Condition(Check.of(in.readLong()), in.readBytes(), VALUE.read(in)));

    public Condition {
      boolean compares = check == Check.EQUALS || check == Check.NOT_EQUALS;
      if (compares != value.isPresent()) {
        throw new MalformedValueException("a check %s has a value, or none".formatted(check));
      }
    }

    boolean holds(Optional<Bytes> present) {
      return switch (check) {
        case EQUALS -> present.equals(value);
        case NOT_EQUALS -> !present.equals(value);
        case ABSENT -> present.isEmpty();
        case PRESENT -> present.isPresent();
      };
    }
  }

  /** What is done to a key. Numbers are permanent. */
  public enum Deed {
    /** The entry stays, whatever it had for a time to live. */
    PUT(1),
    PUT_FOR(2),
    /** Ends when the value before did. */
    PUT_KEEPING_EXPIRY(3),
    REMOVE(4),
    RENEW(5),
    PERSIST(6),
    GET(7);

    final int number;

    Deed(int number) {
      this.number = number;
    }

    static Deed of(long number) {
      return Arrays.stream(values())
          .filter(deed -> deed.number == number)
          .findFirst()
          .orElseThrow(() -> new MalformedValueException("there is no deed " + number));
    }

    boolean puts() {
      return this == PUT || this == PUT_FOR || this == PUT_KEEPING_EXPIRY;
    }

    boolean isTimed() {
      return this == PUT_FOR || this == RENEW;
    }
  }

  /**
   * What is done to one key.
   *
   * @param value that is put; empty if none is
   * @param ttlMillis 0 if there is none
   */
  public record Action(Deed deed, Bytes key, Optional<Bytes> value, long ttlMillis) {
    static final Codec<Action> CODEC =
        Codec.of(
            (action, out) -> {
              out.writeLong(action.deed().number).writeBytes(action.key());
              VALUE.write(action.value(), out);
              out.writeLong(action.ttlMillis());
            },
            in ->
                new Action(Deed.of(in.readLong()), in.readBytes(), VALUE.read(in), in.readLong()));

    public Action {
      if (deed.puts() != value.isPresent()
          || deed.isTimed() != (ttlMillis > 0)
          || ttlMillis < 0
          || ttlMillis > MAX_TTL.toMillis()) {
        throw new MalformedValueException(
            "%s with a time to live of %s ms, or with a value or none".formatted(deed, ttlMillis));
      }
    }
  }

  /** All of it, as it travels. */
  public record Request(List<Condition> conditions, List<Action> then, List<Action> otherwise) {
    private static final Codec<List<Action>> ACTIONS = Codec.listOf(Action.CODEC);
    private static final Codec<List<Condition>> CONDITIONS = Codec.listOf(Condition.CODEC);

    static final Codec<Request> CODEC =
        Codec.of(
            (request, out) -> {
              CONDITIONS.write(request.conditions(), out);
              ACTIONS.write(request.then(), out);
              ACTIONS.write(request.otherwise(), out);
            },
            in -> new Request(CONDITIONS.read(in), ACTIONS.read(in), ACTIONS.read(in)));

    /** All keys that it names. */
    List<Bytes> keys() {
      ImmutableList.Builder<Bytes> keys = ImmutableList.builder();
      conditions.forEach(condition -> keys.add(condition.key()));
      then.forEach(action -> keys.add(action.key()));
      otherwise.forEach(action -> keys.add(action.key()));
      return keys.build();
    }
  }

  /**
   * What came of it.
   *
   * @param succeeded whether all conditions held
   * @param reads what each {@code get} of the list that was done saw, in order
   */
  public record Result(boolean succeeded, List<MapObject.Entry> reads) {
    private static final Codec<List<MapObject.Entry>> READS = Codec.listOf(MapObject.Entry.CODEC);

    static final Codec<Result> CODEC =
        Codec.of(
            (result, out) -> {
              out.writeBoolean(result.succeeded());
              READS.write(result.reads(), out);
            },
            in -> new Result(in.readBoolean(), READS.read(in)));

    /**
     * What the last {@code get} of a key saw.
     *
     * @throws IllegalArgumentException if the list that was done has none
     */
    public Optional<Bytes> value(Bytes key) {
      for (MapObject.Entry read : ImmutableList.copyOf(reads).reverse()) {
        if (read.key().equals(key)) {
          return read.value();
        }
      }
      throw new IllegalArgumentException(
          "The list that was done has no get of '%s'; add one.".formatted(key.toText()));
    }

    /** As {@link #value(Bytes)}, with texts in UTF-8. */
    public Optional<String> value(String key) {
      return value(Bytes.utf8(key)).map(Bytes::toText);
    }
  }

  /** What is done, one after the other: each sees what those before it did. */
  public static final class Actions {
    private final ImmutableList.Builder<Action> list = ImmutableList.builder();

    private Actions() {}

    private Actions add(Deed deed, Bytes key, Optional<Bytes> value, long ttlMillis) {
      list.add(new Action(deed, key, value, ttlMillis));
      return this;
    }

    /** Sets a value that stays. */
    public Actions put(Bytes key, Bytes value) {
      return add(Deed.PUT, key, Optional.of(value), 0);
    }

    public Actions put(String key, String value) {
      return put(Bytes.utf8(key), Bytes.utf8(value));
    }

    /** Sets a value that ends after this time. */
    public Actions put(Bytes key, Bytes value, Duration ttl) {
      return add(Deed.PUT_FOR, key, Optional.of(value), millis(ttl));
    }

    public Actions put(String key, String value, Duration ttl) {
      return put(Bytes.utf8(key), Bytes.utf8(value), ttl);
    }

    /** Sets a value that ends when the one before would have ended, or stays if that would. */
    public Actions putKeepingExpiry(Bytes key, Bytes value) {
      return add(Deed.PUT_KEEPING_EXPIRY, key, Optional.of(value), 0);
    }

    public Actions putKeepingExpiry(String key, String value) {
      return putKeepingExpiry(Bytes.utf8(key), Bytes.utf8(value));
    }

    public Actions remove(Bytes key) {
      return add(Deed.REMOVE, key, Optional.empty(), 0);
    }

    public Actions remove(String key) {
      return remove(Bytes.utf8(key));
    }

    /** Lets the value end after this time from now; nothing if there is none. */
    public Actions renew(Bytes key, Duration ttl) {
      return add(Deed.RENEW, key, Optional.empty(), millis(ttl));
    }

    public Actions renew(String key, Duration ttl) {
      return renew(Bytes.utf8(key), ttl);
    }

    /** Lets the value stay; nothing if there is none. */
    public Actions persist(Bytes key) {
      return add(Deed.PERSIST, key, Optional.empty(), 0);
    }

    public Actions persist(String key) {
      return persist(Bytes.utf8(key));
    }

    /** Reads a value into the result, which has room for 256 KiB. */
    public Actions get(Bytes key) {
      return add(Deed.GET, key, Optional.empty(), 0);
    }

    public Actions get(String key) {
      return get(Bytes.utf8(key));
    }
  }

  static long millis(Duration ttl) {
    if (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0) {
      throw new IllegalArgumentException(
          "A time to live of %s is not from a millisecond to %s days; choose another."
              .formatted(ttl, MAX_TTL.toDays()));
    }
    return ttl.toMillis();
  }

  private final Function<Request, CompletableFuture<Result>> submitter;
  private final List<Condition> conditions = new ArrayList<>();
  private final Actions then = new Actions();
  private final Actions otherwise = new Actions();

  MapTransaction(Function<Request, CompletableFuture<Result>> submitter) {
    this.submitter = submitter;
  }

  /** What must be true, in any form. */
  public MapTransaction when(Check check, Bytes key, Optional<Bytes> value) {
    conditions.add(new Condition(check, key, value));
    return this;
  }

  public MapTransaction ifEquals(Bytes key, Bytes value) {
    return when(Check.EQUALS, key, Optional.of(value));
  }

  public MapTransaction ifEquals(String key, String value) {
    return ifEquals(Bytes.utf8(key), Bytes.utf8(value));
  }

  /** Also true if there is no value. */
  public MapTransaction ifNotEquals(Bytes key, Bytes value) {
    return when(Check.NOT_EQUALS, key, Optional.of(value));
  }

  public MapTransaction ifNotEquals(String key, String value) {
    return ifNotEquals(Bytes.utf8(key), Bytes.utf8(value));
  }

  public MapTransaction ifAbsent(Bytes key) {
    return when(Check.ABSENT, key, Optional.empty());
  }

  public MapTransaction ifAbsent(String key) {
    return ifAbsent(Bytes.utf8(key));
  }

  public MapTransaction ifPresent(Bytes key) {
    return when(Check.PRESENT, key, Optional.empty());
  }

  public MapTransaction ifPresent(String key) {
    return ifPresent(Bytes.utf8(key));
  }

  /** What is done if all conditions hold; without conditions it is always done. */
  public MapTransaction then(Consumer<Actions> list) {
    list.accept(then);
    return this;
  }

  /** What is done if a condition does not hold. */
  public MapTransaction otherwise(Consumer<Actions> list) {
    list.accept(otherwise);
    return this;
  }

  /** Has it done. */
  public CompletableFuture<Result> submit() {
    return submitter.apply(
        new Request(ImmutableList.copyOf(conditions), then.list.build(), otherwise.list.build()));
  }
}
