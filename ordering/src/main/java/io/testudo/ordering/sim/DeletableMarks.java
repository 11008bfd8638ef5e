package io.testudo.ordering.sim;

import io.testudo.ordering.sim.MarksInOrder.Marks;
import io.testudo.quorum.sim.history.Specification;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A ledger that can be deleted, as a specification: what is asked is a mark to write, 0 to read, or
 * {@link #DELETE}, which answers 1 if something was there and 0 if not.
 *
 * <p>A mark is written once, so whoever read it has shown which ledger it was added to. Knowing
 * that beforehand spares the search of the orders that some read contradicts much later.
 */
final class DeletableMarks implements Specification<Marks, Long, Marks> {
  /** In the place of a mark: nothing is left. */
  static final long DELETE = -1;

  private final Map<Long, Marks> addedTo = new HashMap<>();

  /** A ledger that somebody read. */
  void wasRead(List<Long> marks) {
    Marks before = Marks.NONE;
    for (long mark : marks) {
      addedTo.put(mark, before);
      before = before.with(mark);
    }
  }

  @Override
  public Marks initial() {
    return Marks.NONE;
  }

  @Override
  public boolean isRead(Long asked) {
    return asked == MarksInOrder.READ;
  }

  @Override
  public List<Marks> after(Marks state, Long asked, Marks answered) {
    boolean fits;
    if (asked == MarksInOrder.READ) {
      fits = answered.equals(state);
    } else if (asked == DELETE) {
      fits = answered.length() == Math.min(1, state.length());
    } else {
      fits = answered.length() == state.length() + 1;
    }
    return fits ? afterUnknown(state, asked) : List.of();
  }

  @Override
  public List<Marks> afterUnknown(Marks state, Long asked) {
    if (asked == MarksInOrder.READ) {
      return List.of(state);
    }
    if (asked == DELETE) {
      return List.of(Marks.NONE);
    }
    return addedTo.getOrDefault(asked, state).equals(state)
        ? List.of(state.with(asked))
        : List.of();
  }
}
