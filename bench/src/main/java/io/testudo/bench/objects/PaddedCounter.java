package io.testudo.bench.objects;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ValueReader;
import io.testudo.quorum.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The state of a counter with as many other bytes beside it as a test of large states wants. An
 * increment writes the count into one place of them, each time another, so that changes are small
 * and reach all of the state in time.
 *
 * @param pages never changed; one that differs is another array, in another array of pages
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
record PaddedCounter(long count, byte[][] pages) {
  /** The most bytes beside the count. */
  static final int MAX_PADDING_BYTES = ObjectLimits.MAX_STATE_BYTES - Long.BYTES;

  /** Adds one, and gives the count. That it happened is all that travels. */
  static final Operation<PaddedCounter, Nothing, Long> INCREMENT =
      Operation.of(1, "increment", Codec.NOTHING, Codec.LONG)
          .changing(
              Codec.NOTHING,
              (counter, nothing) -> Change.to(Nothing.NOTHING, counter.count() + 1),
              (counter, nothing) -> counter.incremented());

  private static final int PAGE_BYTES = 1 << 10;

  /** Counters with so many bytes beside the count. */
  static ObjectType<PaddedCounter> type(int paddingBytes) {
    Codec<PaddedCounter> codec =
        Codec.of(
            (counter, out) -> {
              out.writeFixed64(counter.count());
              for (byte[] page : counter.pages()) {
                out.writeRaw(Bytes.wrap(page));
              }
            },
            PaddedCounter::read);
    PaddedCounter initial = new PaddedCounter(0, pages(new byte[paddingBytes]));
    return ObjectType.of(ObjectType.LAST_RESERVED_NUMBER + 1, "padded counter", codec, initial)
        .with(INCREMENT)
        .sized(counter -> Long.BYTES + paddingBytes);
  }

  private static PaddedCounter read(ValueReader in) {
    long count = in.readFixed64();
    return new PaddedCounter(count, pages(in.readRest().toByteArray()));
  }

  private static byte[][] pages(byte[] all) {
    byte[][] pages = new byte[(all.length + PAGE_BYTES - 1) / PAGE_BYTES][];
    for (int i = 0; i < pages.length; i++) {
      int from = i * PAGE_BYTES;
      pages[i] = Arrays.copyOfRange(all, from, Math.min(from + PAGE_BYTES, all.length));
    }
    return pages;
  }

  private PaddedCounter incremented() {
    long next = count + 1;
    if (pages.length == 0) {
      return new PaddedCounter(next, pages);
    }
    byte[][] after = pages.clone();
    int page = (int) (next % pages.length);
    after[page] = pages[page].clone();
    byte[] mark = ByteBuffer.allocate(Long.BYTES).putLong(next).array();
    int room = after[page].length / Long.BYTES;
    int at = room == 0 ? 0 : (int) (next / pages.length % room) * Long.BYTES;
    System.arraycopy(mark, 0, after[page], at, Math.min(mark.length, after[page].length));
    return new PaddedCounter(next, after);
  }
}
