package io.testudo.bench.objects;

import io.testudo.ordering.client.ObjectModel;
import io.testudo.quorum.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A counter, with as many other bytes in its state as a test of large states wants. An increment
 * writes the count into one place of them, each time another, so that changes are small and reach
 * all of the state in time.
 */
public final class CounterModel implements ObjectModel<CounterModel.Counter> {
  /** The only operation: add one. Its result is the count. */
  public static final Bytes INCREMENT = Bytes.EMPTY;

  private static final int PAGE_BYTES = 1 << 10;

  private final int ballastBytes;

  /**
   * A model.
   *
   * @param ballastBytes how long the state is beside the count
   */
  public CounterModel(int ballastBytes) {
    this.ballastBytes = ballastBytes;
  }

  /**
   * The state.
   *
   * @param pages never changed; one that differs is another array, in another array of pages
   */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  public record Counter(long count, byte[][] pages) {
    Counter incremented() {
      long next = count + 1;
      if (pages.length == 0) {
        return new Counter(next, pages);
      }
      byte[][] after = pages.clone();
      int page = (int) (next % pages.length);
      after[page] = pages[page].clone();
      byte[] mark = ByteBuffer.allocate(Long.BYTES).putLong(next).array();
      int room = after[page].length / Long.BYTES;
      int at = room == 0 ? 0 : (int) (next / pages.length % room) * Long.BYTES;
      System.arraycopy(mark, 0, after[page], at, Math.min(mark.length, after[page].length));
      return new Counter(next, after);
    }
  }

  /** What an increment gave. */
  public static long count(Bytes result) {
    return result.asByteBuffer().getLong();
  }

  @Override
  public Counter initial() {
    byte[][] pages = new byte[(ballastBytes + PAGE_BYTES - 1) / PAGE_BYTES][];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = new byte[Math.min(PAGE_BYTES, ballastBytes - i * PAGE_BYTES)];
    }
    return new Counter(0, pages);
  }

  @Override
  public Change<Counter> apply(Counter state, Bytes operation) {
    Counter after = state.incremented();
    Bytes count = bytes(after.count());
    return new Change<>(after, count, count);
  }

  @Override
  public Counter replay(Counter state, Bytes effect) {
    return state.incremented();
  }

  @Override
  public Bytes encode(Counter state) {
    byte[] all = new byte[Long.BYTES + ballastBytes];
    ByteBuffer into = ByteBuffer.wrap(all).putLong(state.count());
    for (byte[] page : state.pages()) {
      into.put(page);
    }
    return Bytes.wrap(all);
  }

  @Override
  public Counter decode(Bytes bytes) {
    byte[] all = bytes.toByteArray();
    Counter read = initial();
    for (int i = 0; i < read.pages().length; i++) {
      int from = Long.BYTES + i * PAGE_BYTES;
      read.pages()[i] = Arrays.copyOfRange(all, from, from + read.pages()[i].length);
    }
    return new Counter(ByteBuffer.wrap(all).getLong(), read.pages());
  }

  private static Bytes bytes(long number) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }
}
