package io.testudo.ordering.sim;

import io.testudo.ordering.sim.MarksInOrder.Marks;
import io.testudo.quorum.sim.history.Specification;
import java.util.List;

/**
 * A ledger that can be deleted, as a specification: what is asked is a mark to write, 0 to read, or
 * {@link #DELETE}, which answers 1 if something was there and 0 if not.
 */
final class DeletableMarks implements Specification<Marks, Long, Marks> {
  /** In the place of a mark: nothing is left. */
  static final long DELETE = -1;

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
    return List.of(asked == DELETE ? Marks.NONE : state.with(asked));
  }
}
