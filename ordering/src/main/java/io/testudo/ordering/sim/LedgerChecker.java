package io.testudo.ordering.sim;

import io.testudo.ordering.sim.LedgerModel.Line;
import io.testudo.ordering.sim.LedgerModel.Lines;
import io.testudo.ordering.sim.LedgerModel.Receipt;
import io.testudo.quorum.sim.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What clients were told of a ledger, held together: there is one list of lines, every answer
 * agrees with it, it contains only what was submitted and each of it once, and it keeps to real
 * time.
 */
final class LedgerChecker {
  private final Map<Long, Receipt> byPlace = new HashMap<>();
  private final Map<Long, Long> placeByMark = new HashMap<>();
  private final Set<Long> submitted = new HashSet<>();
  private final Set<Long> threw = new HashSet<>();
  private long highestAnswered;

  /** An operation is about to be submitted. Gives what was answered before: it must come later. */
  long submits(long mark) {
    submitted.add(mark);
    return highestAnswered;
  }

  /** A read is about to begin. Gives what it must contain. */
  long reads() {
    return highestAnswered;
  }

  /** An operation was answered. */
  void answered(long mark, Receipt receipt, long answeredBefore) {
    if (receipt.line().mark() != mark) {
      throw Violation.safety("the answer to " + mark + " is that to " + receipt.line().mark());
    }
    if (receipt.place() <= answeredBefore) {
      throw Violation.safety(
          "an operation came to place %d, but place %d was answered before it was submitted"
              .formatted(receipt.place(), answeredBefore));
    }
    agree(receipt);
    highestAnswered = Math.max(highestAnswered, receipt.place());
  }

  /** An operation was answered by what it threw: nothing of it may be anywhere, ever. */
  void threw(long mark) {
    threw.add(mark);
    if (placeByMark.containsKey(mark)) {
      throw Violation.safety("operation %d threw, and is in the ledger".formatted(mark));
    }
  }

  /** A state was read. */
  void read(Lines state, long answeredBefore) {
    if (state.lines().size() < answeredBefore) {
      throw Violation.safety(
          "a read saw %d lines, but %d were answered before it"
              .formatted(state.lines().size(), answeredBefore));
    }
    long place = 0;
    long trace = 0;
    for (Line line : state.lines()) {
      trace = Lines.after(trace, line);
      agree(new Receipt(++place, line, trace));
    }
    highestAnswered = Math.max(highestAnswered, state.lines().size());
  }

  private void agree(Receipt receipt) {
    if (threw.contains(receipt.line().mark())) {
      throw Violation.safety("what threw is in place " + receipt.place());
    }
    if (!submitted.contains(receipt.line().mark())) {
      throw Violation.safety("nobody submitted what is in place " + receipt.place());
    }
    Receipt other = byPlace.putIfAbsent(receipt.place(), receipt);
    if (other != null && !other.equals(receipt)) {
      throw Violation.safety("place " + receipt.place() + " is " + other + " and " + receipt);
    }
    Long elsewhere = placeByMark.putIfAbsent(receipt.line().mark(), receipt.place());
    if (elsewhere != null && elsewhere != receipt.place()) {
      throw Violation.safety(
          "one operation is in places %d and %d".formatted(elsewhere, receipt.place()));
    }
  }
}
