package io.testudo.ordering.sim;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.sim.history.Specification;
import java.util.List;

/**
 * A ledger as a specification: marks in an order. What is asked is a mark to write, or 0 to read;
 * what is answered is the ledger at that place. A ledger is known by its length and a number that
 * depends on all marks and their order.
 *
 * <p>Nothing is ever taken out of a ledger, so all orders agree with the longest that was read.
 * Knowing it beforehand spares the search of the orders that some read contradicts much later.
 */
final class MarksInOrder implements Specification<MarksInOrder.Marks, Long, MarksInOrder.Marks> {
  /** In the place of a mark: a question. */
  static final long READ = 0;

  /** A ledger. */
  record Marks(long length, long trace) {
    static final Marks NONE = new Marks(0, 0);

    static Marks of(List<Long> marks) {
      Marks all = NONE;
      for (long mark : marks) {
        all = all.with(mark);
      }
      return all;
    }

    Marks with(long mark) {
      long next = (trace + mark) * 0xBF58476D1CE4E5B9L;
      return new Marks(length + 1, next ^ next >>> 31);
    }
  }

  private final ImmutableList<Long> longestRead;

  MarksInOrder(List<Long> longestRead) {
    this.longestRead = ImmutableList.copyOf(longestRead);
  }

  @Override
  public Marks initial() {
    return Marks.NONE;
  }

  @Override
  public boolean isRead(Long asked) {
    return asked == READ;
  }

  @Override
  public List<Marks> after(Marks state, Long asked, Marks answered) {
    // The answer to a write names its place only.
    boolean fits = asked == READ ? answered.equals(state) : answered.length() == state.length() + 1;
    return fits ? afterUnknown(state, asked) : List.of();
  }

  @Override
  public List<Marks> afterUnknown(Marks state, Long asked) {
    if (asked == READ) {
      return List.of(state);
    }
    int place = (int) state.length();
    boolean fits = place >= longestRead.size() || longestRead.get(place).equals(asked);
    return fits ? List.of(state.with(asked)) : List.of();
  }
}
