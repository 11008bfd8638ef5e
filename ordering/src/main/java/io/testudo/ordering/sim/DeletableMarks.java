package io.testudo.ordering.sim;

import io.testudo.ordering.sim.DeletableMarks.MortalMarks;
import io.testudo.ordering.sim.MarksInOrder.Marks;
import io.testudo.quorum.sim.history.Specification;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A ledger that can be deleted and may have an end, as a specification. What is asked is a mark to
 * write, 0 to read, or something to do with the ledger as a whole, which answers 1 if it was there
 * and 0 if not. A ledger with a short time to live may be gone at any moment from then on: whose
 * clock shows what is nobody's concern here.
 *
 * <p>A mark is written once, so whoever read it has shown which ledger it was added to. Knowing
 * that beforehand spares the search of the orders that some read contradicts much later.
 */
final class DeletableMarks implements Specification<MortalMarks, Long, Marks> {
  /** In the place of a mark: nothing is left. */
  static final long DELETE = -1;

  /** In the place of a mark: what is there ends soon. */
  static final long END_SOON = -2;

  /** In the place of a mark: what is there stays, or ends long after the run. */
  static final long STAY = -3;

  /** Added to a mark that is written so that the ledger ends soon if this makes it. */
  static final long MAKES_MORTAL = 1L << 40;

  private final Map<Long, Marks> addedTo = new HashMap<>();

  /** A ledger, and whether its time may be over by the clock of somebody. */
  record MortalMarks(Marks marks, boolean mayEnd) {
    static final MortalMarks NONE = new MortalMarks(Marks.NONE, false);

    boolean isThere() {
      return marks.length() > 0;
    }
  }

  /** A ledger that somebody read. */
  void wasRead(List<Long> marks) {
    Marks before = Marks.NONE;
    for (long mark : marks) {
      addedTo.put(mark, before);
      before = before.with(mark);
    }
  }

  @Override
  public MortalMarks initial() {
    return MortalMarks.NONE;
  }

  @Override
  public boolean isRead(Long asked) {
    return false; // One that comes too late for a ledger settles that it has ended.
  }

  @Override
  public List<MortalMarks> after(MortalMarks state, Long asked, Marks answered) {
    return inTimeOrNot(state, it -> fits(it, asked, answered) ? next(it, asked) : null);
  }

  @Override
  public List<MortalMarks> afterUnknown(MortalMarks state, Long asked) {
    return inTimeOrNot(state, it -> next(it, asked));
  }

  private static List<MortalMarks> inTimeOrNot(
      MortalMarks state, Function<MortalMarks, @Nullable MortalMarks> next) {
    return Stream.of(state, state.mayEnd() ? MortalMarks.NONE : state)
        .distinct()
        .map(next)
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private static boolean fits(MortalMarks state, long asked, Marks answered) {
    if (asked == MarksInOrder.READ) {
      return answered.equals(state.marks());
    }
    return answered.length()
        == (asked < 0 ? (state.isThere() ? 1 : 0) : state.marks().length() + 1);
  }

  private @Nullable MortalMarks next(MortalMarks state, long asked) {
    if (asked == MarksInOrder.READ) {
      return state;
    }
    if (asked == DELETE) {
      return MortalMarks.NONE;
    }
    if (asked < 0) {
      return state.isThere() ? new MortalMarks(state.marks(), asked == END_SOON) : state;
    }
    long mark = asked & (MAKES_MORTAL - 1);
    boolean mayEnd = state.isThere() ? state.mayEnd() : asked >= MAKES_MORTAL;
    return addedTo.getOrDefault(mark, state.marks()).equals(state.marks())
        ? new MortalMarks(state.marks().with(mark), mayEnd)
        : null;
  }
}
