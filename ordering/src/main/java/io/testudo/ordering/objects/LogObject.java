package io.testudo.ordering.objects;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A log: entries are appended, numbered from 0, and stay as they are. A log that is full takes no
 * more until old entries are dropped.
 */
public final class LogObject {
  private static final Codec<List<Bytes>> ENTRIES = Codec.listOf(Codec.BYTES);

  /** Gives the number of the first of them. */
  public static final Operation<SeriesState, List<Bytes>, Long> APPEND =
      Operation.of(1, "append", ENTRIES, Codec.LONG)
          .changing(
              ENTRIES, (log, entries) -> Change.to(entries, log.next()), SeriesState::withAll);

  /** Drops the entries before a number; gives the number of the first that is left. */
  public static final Operation<SeriesState, Long, Long> TRUNCATE =
      Operation.of(2, "truncate", Codec.LONG, Codec.LONG)
          .changing(
              Codec.LONG,
              (log, before) -> {
                long first = Math.min(Math.max(before, log.first()), log.next());
                return first == log.first() ? Change.none(first) : Change.to(first, first);
              },
              SeriesState::from);

  public static final ObjectType<SeriesState> TYPE =
      ObjectType.of(5, "log", SeriesState.CODEC, SeriesState.EMPTY)
          .with(APPEND)
          .with(TRUNCATE)
          .sized(SeriesState::bytes);

  private final ReplicatedObject<SeriesState> object;

  private LogObject(ReplicatedObject<SeriesState> object) {
    this.object = object;
  }

  public static LogObject open(ObjectSpace space, String name) {
    return new LogObject(space.open(name, TYPE));
  }

  /** Gives the number of the entry. */
  public CompletableFuture<Long> append(Bytes entry) {
    return appendAll(List.of(entry));
  }

  /** As {@link #append(Bytes)}, with text in UTF-8. */
  public CompletableFuture<Long> append(String entry) {
    return append(Bytes.utf8(entry));
  }

  /** All of them in a row, or none; gives the number of the first. */
  public CompletableFuture<Long> appendAll(List<Bytes> entries) {
    return object.submit(APPEND, ImmutableList.copyOf(entries));
  }

  /** Drops the entries before a number; gives the number of the first that is left. */
  public CompletableFuture<Long> truncate(long before) {
    return object.submit(TRUNCATE, before);
  }

  /** Up to so many entries from a number on. */
  public CompletableFuture<List<Bytes>> read(long from, int most) {
    return object.read(log -> log.from(from, most));
  }

  /** The number that the next entry will get. */
  public CompletableFuture<Long> next() {
    return object.read(SeriesState::next);
  }

  /** The same, with another time limit for calls. */
  public LogObject withTimeout(Duration timeout) {
    return new LogObject(object.withTimeout(timeout));
  }

  /** The same, with calls that ask these servers first; see {@link ReplicatedObject#withAccess}. */
  public LogObject withAccess(Access first) {
    return new LogObject(object.withAccess(first));
  }

  /** For all that any object can do. */
  public ReplicatedObject<SeriesState> object() {
    return object;
  }
}
