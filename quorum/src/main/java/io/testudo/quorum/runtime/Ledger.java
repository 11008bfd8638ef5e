package io.testudo.quorum.runtime;

import static com.google.common.base.Preconditions.checkState;

import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.spi.Journal;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps the records of a machine and lets nothing out that speaks of a record which is not durable.
 * This is the only place that knows the order "persist, then send".
 */
public abstract class Ledger {
  /** Steps that may wait for the disk at a time; beyond it new inputs are turned away. */
  public static final int MAX_WAITING_STEPS = 65_536;

  private Ledger() {}

  /** A log shorter than this is not worth a snapshot. */
  private static final long SMALLEST_LOG_BYTES = 1 << 20;

  /** A ledger on a journal. */
  public static Ledger on(Journal journal, StateCodec codec) {
    return on(journal, codec, SMALLEST_LOG_BYTES);
  }

  /**
   * A ledger on a journal.
   *
   * @param smallestLogBytes a log shorter than this is not replaced by a snapshot
   */
  public static Ledger on(Journal journal, StateCodec codec, long smallestLogBytes) {
    return new Durable(journal, codec, smallestLogBytes);
  }

  /** The ledger of a machine that keeps nothing: a client. */
  public static Ledger none() {
    return new None();
  }

  /** What was kept, oldest first. */
  abstract List<StateRecord> recover();

  /**
   * As {@link #recover}, again: what is on the disk once everything written so far is durable.
   *
   * @param then is run on the loop, after all that {@link #afterwards} was asked to run before
   */
  abstract void recoverAgain(Consumer<List<byte[]>> then);

  abstract List<StateRecord> decode(List<byte[]> records);

  /** The bytes of all that a step wants to keep. */
  abstract <P> List<byte[]> encode(List<Effect<P>> effects);

  /** Adds a record. */
  abstract void write(byte[] record);

  /** Runs {@code then} when the disk has taken a write. */
  abstract void prove(Runnable then);

  /** Runs {@code then} as soon as all that was written so far is durable, in the order asked. */
  abstract void afterwards(Runnable then);

  /** Replaces a log that has grown long by what a snapshot says. */
  abstract void compactIfGrown(Supplier<List<StateRecord>> snapshot);

  /** Whether so much waits for the disk that new work should be turned away. */
  abstract boolean isOverloaded();

  private static final class Durable extends Ledger {
    /** A log is replaced when it is this many times as long as after the last snapshot. */
    private static final int GROWTH = 4;

    private final Journal journal;
    private final StateCodec codec;
    private final long smallestLogBytes;
    private long compactAboveBytes;
    private boolean written;
    private int waiting;

    Durable(Journal journal, StateCodec codec, long smallestLogBytes) {
      this.journal = journal;
      this.codec = codec;
      this.smallestLogBytes = smallestLogBytes;
      this.compactAboveBytes = smallestLogBytes;
    }

    @Override
    List<StateRecord> recover() {
      return decode(journal.recover());
    }

    @Override
    void recoverAgain(Consumer<List<byte[]>> then) {
      journal.recoverAgain(then);
    }

    @Override
    List<StateRecord> decode(List<byte[]> all) {
      List<StateRecord> records = new ArrayList<>();
      for (byte[] bytes : all) {
        try {
          records.add(codec.decode(bytes));
        } catch (WireException e) {
          throw new IllegalStateException(
              "the journal's record " + records.size() + " cannot be read: " + e.getMessage(), e);
        }
      }
      return records;
    }

    @Override
    <P> List<byte[]> encode(List<Effect<P>> effects) {
      List<byte[]> records = List.of();
      for (Effect<P> effect : effects) {
        if (effect instanceof Effect.Persist<P> persist) {
          records = records.isEmpty() ? new ArrayList<>() : records;
          records.add(codec.encode(persist.record()));
        }
      }
      return records;
    }

    @Override
    void write(byte[] record) {
      journal.append(record);
      written = true;
    }

    @Override
    void prove(Runnable then) {
      journal.prove(then);
    }

    @Override
    void afterwards(Runnable then) {
      // A step that wrote nothing waits too while earlier records are on their way to the disk: it
      // may speak of them.
      if (!written && waiting == 0) {
        then.run();
        return;
      }
      written = false;
      waiting++;
      journal.whenDurable(() -> release(then));
    }

    private void release(Runnable then) {
      waiting--;
      then.run();
    }

    @Override
    void compactIfGrown(Supplier<List<StateRecord>> snapshot) {
      if (journal.sizeBytes() > compactAboveBytes) {
        journal.replaceAll(snapshot.get().stream().map(codec::encode).toList());
        compactAboveBytes = Math.max(smallestLogBytes, GROWTH * journal.sizeBytes());
      }
    }

    @Override
    boolean isOverloaded() {
      return waiting >= MAX_WAITING_STEPS;
    }
  }

  private static final class None extends Ledger {
    @Override
    List<StateRecord> recover() {
      return List.of();
    }

    @Override
    void recoverAgain(Consumer<List<byte[]>> then) {
      then.accept(List.of());
    }

    @Override
    List<StateRecord> decode(List<byte[]> records) {
      return List.of();
    }

    @Override
    <P> List<byte[]> encode(List<Effect<P>> effects) {
      for (Effect<P> effect : effects) {
        checkState(
            !(effect instanceof Effect.Persist), "this machine has no journal for %s", effect);
      }
      return List.of();
    }

    @Override
    void write(byte[] record) {
      throw new IllegalStateException("this machine has no journal");
    }

    @Override
    void prove(Runnable then) {
      then.run();
    }

    @Override
    void afterwards(Runnable then) {
      then.run();
    }

    @Override
    void compactIfGrown(Supplier<List<StateRecord>> snapshot) {}

    @Override
    boolean isOverloaded() {
      return false;
    }
  }
}
