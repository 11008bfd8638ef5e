package io.testudo.ordering.sim;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.spi.Entropy;
import java.nio.ByteBuffer;

/**
 * An object that remembers all that was done to it: a list of lines, each with the operation's mark
 * and a number that is drawn when it is applied. Two applications of one operation differ, so any
 * that is applied twice, or by two orderers, shows.
 */
final class LedgerModel implements ObjectModel<LedgerModel.Lines> {
  private final Entropy entropy;

  LedgerModel(Entropy entropy) {
    this.entropy = entropy;
  }

  /** A line of the ledger. */
  record Line(long mark, long drawn) {}

  /** All lines, and a number that depends on each of them and on their order. */
  record Lines(ImmutableList<Line> lines, long trace) {
    Lines with(Line line) {
      return new Lines(
          ImmutableList.<Line>builderWithExpectedSize(lines.size() + 1)
              .addAll(lines)
              .add(line)
              .build(),
          after(trace, line));
    }

    /** The number of a ledger with one more line, from the one without. */
    static long after(long trace, Line line) {
      long next = (trace ^ line.mark()) * 0x9E3779B97F4A7C15L + line.drawn();
      return next ^ next >>> 29;
    }
  }

  /**
   * What an operation's submitter hears.
   *
   * @param place of its line, from 1
   * @param trace of the ledger with this line as its last
   */
  record Receipt(long place, Line line, long trace) {
    /** For the last line of a ledger. */
    static Receipt after(Lines lines) {
      int place = lines.lines().size();
      return new Receipt(place, lines.lines().get(place - 1), lines.trace());
    }

    Bytes encode() {
      return longs(place, line.mark(), line.drawn(), trace);
    }

    static Receipt decode(Bytes bytes) {
      ByteBuffer from = bytes.asByteBuffer();
      return new Receipt(from.getLong(), new Line(from.getLong(), from.getLong()), from.getLong());
    }
  }

  static Bytes longs(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
    for (long number : numbers) {
      bytes.putLong(number);
    }
    return Bytes.wrap(bytes.array());
  }

  @Override
  public Lines initial() {
    return new Lines(ImmutableList.of(), 0);
  }

  @Override
  public Change<Lines> apply(Lines state, Bytes operation) {
    long mark = operation.asByteBuffer().getLong();
    Line line = line(mark);
    Lines after = state.with(line);
    return new Change<>(after, Receipt.after(after).encode(), longs(line.mark(), line.drawn()));
  }

  /** A line with another number each time. */
  Line line(long mark) {
    return new Line(mark, entropy.nextLong());
  }

  @Override
  public Lines replay(Lines state, Bytes effect) {
    ByteBuffer from = effect.asByteBuffer();
    return state.with(new Line(from.getLong(), from.getLong()));
  }

  @Override
  public Bytes encode(Lines state) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES * state.lines().size());
    for (Line line : state.lines()) {
      bytes.putLong(line.mark()).putLong(line.drawn());
    }
    return Bytes.wrap(bytes.array());
  }

  @Override
  public Lines decode(Bytes bytes) {
    ByteBuffer from = bytes.asByteBuffer();
    ImmutableList.Builder<Line> lines = ImmutableList.builder();
    long trace = 0;
    while (from.hasRemaining()) {
      Line line = new Line(from.getLong(), from.getLong());
      lines.add(line);
      trace = Lines.after(trace, line);
    }
    return new Lines(lines.build(), trace);
  }
}
