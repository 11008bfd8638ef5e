package io.testudo.quorum.spi;

import java.util.List;
import java.util.function.Consumer;

/**
 * The durable memory of one protocol machine. All calls come from the machine's own loop, and so
 * does the callback.
 *
 * <p>A journal that cannot keep its word (a failed write or sync, a full disk) ends the process; it
 * never reports the failure and goes on, because nobody could say what is on the disk then.
 */
public interface Journal {
  /**
   * What is on the disk, oldest first: the last snapshot and what was appended after it. Called
   * once, before anything else.
   */
  List<byte[]> recover();

  /**
   * Hands over what is on the disk as soon as everything appended so far is durable: for a machine
   * that has to begin anew while its process goes on. A callback as those of {@link #whenDurable}.
   */
  default void recoverAgain(Consumer<List<byte[]>> then) {
    throw new IllegalStateException("this journal is recovered once");
  }

  /** Writes a record behind all others; it is not durable yet. Nobody changes the array again. */
  void append(byte[] record);

  /** Runs {@code then} as soon as everything appended so far is durable. Callbacks keep order. */
  void whenDurable(Runnable then);

  /**
   * As {@link #whenDurable}, but writes something and makes it durable even if nothing waits: what
   * tells of the journal's health must have gone the way of its records.
   */
  default void prove(Runnable then) {
    whenDurable(then);
  }

  /**
   * Replaces everything so far by these records, as one: after a crash it is all or nothing. For
   * {@link #whenDurable} it counts as an append: a callback asked for after it waits for it, and
   * one asked for before may run as soon as either the old records or these are durable.
   */
  void replaceAll(List<byte[]> snapshot);

  /** Bytes a recovery would read now: the measure by which a snapshot becomes worth its while. */
  long sizeBytes();
}
