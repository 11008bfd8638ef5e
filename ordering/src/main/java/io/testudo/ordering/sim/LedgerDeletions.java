package io.testudo.ordering.sim;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.ObjectChange;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.sim.LedgerModel.Line;
import io.testudo.ordering.sim.LedgerModel.Lines;
import io.testudo.ordering.sim.LedgerModel.Receipt;
import io.testudo.ordering.sim.MarksInOrder.Marks;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.history.Linearizability;
import io.testudo.quorum.sim.history.RecordedHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * What clients were told of a ledger that is deleted now and then. Places begin anew then, so what
 * is held together are versions, and for each line the ledger that ended with it: an operation that
 * is done again, before a deletion and after it, is the last line of two ledgers. No line may be
 * seen in a version behind a deletion that came after it.
 */
final class LedgerDeletions {
  private final String object;
  private final Map<Long, Receipt> byMark = new HashMap<>();
  private final Map<Long, Long> markByTrace = new HashMap<>();
  private final Map<Long, Long> versionByMark = new HashMap<>();
  private final NavigableSet<Long> deletions = new TreeSet<>();
  private final List<SeenLedger> reads = new ArrayList<>();
  private final Map<Long, Boolean> shown = new HashMap<>();
  private boolean areExpected;
  private long hintsHeard;
  private long lastVersion;

  private record SeenLedger(long version, ImmutableList<Line> lines) {}

  LedgerDeletions(String object) {
    this.object = object;
  }

  void expect(boolean some) {
    areExpected = some;
  }

  boolean areExpected() {
    return areExpected;
  }

  /** A correct server shows what it has committed. */
  void shows(ObjectList.Item committed) {
    if (areExpected) {
      shown.put(committed.version(), committed.isAbsent());
    }
  }

  /** A client was told that the ledger came, changed or went: a correct server must have it so. */
  void told(ObjectChange change) {
    boolean isGone = change.kind() == ObjectChange.Kind.DELETED;
    if (!change.name().equals(object)
        || !Boolean.valueOf(isGone).equals(shown.get(change.version()))) {
      throw Violation.safety("somebody was told what no correct server has: " + change);
    }
    hintsHeard++;
  }

  /** How often something was told to those who watch. */
  long hintsHeard() {
    return hintsHeard;
  }

  /** A call is about to begin. Gives the version that its answer must not be behind. */
  long begins() {
    return lastVersion;
  }

  private void inTime(String what, long version, long least) {
    if (version < least) {
      throw Violation.safety(
          "%s came to version %d, but %d was answered before".formatted(what, version, least - 1));
    }
    lastVersion = Math.max(lastVersion, version);
  }

  /** A line was written. */
  void answered(long mark, Receipt receipt, long version, long before) {
    if (receipt.line().mark() != mark) {
      throw Violation.safety("the answer to " + mark + " is that to " + receipt.line().mark());
    }
    inTime("operation " + mark, version, before + 1);
    agree(receipt);
    versionByMark.put(mark, version);
  }

  /** Something else was ordered and answered. */
  void ordered(String what, long version, long before) {
    inTime(what, version, before + 1);
  }

  /** A deletion was answered. */
  void deleted(boolean wasThere, long version, long before) {
    inTime("a deletion", version, before + 1);
    if (wasThere) {
      deletions.add(version);
    }
  }

  /** A ledger was read. */
  void read(Lines state, long version, long before) {
    inTime("a read", version, before);
    if (!areExpected) {
      return;
    }
    Lines soFar = new Lines(ImmutableList.of(), 0);
    for (Line line : state.lines()) {
      soFar = soFar.with(line);
      agree(new Receipt(soFar.lines().size(), line, soFar.trace()));
    }
    reads.add(new SeenLedger(version, state.lines()));
  }

  private void agree(Receipt receipt) {
    if (!areExpected) {
      return;
    }
    Receipt other = byMark.putIfAbsent(receipt.line().mark(), receipt);
    if (other != null && !other.equals(receipt)) {
      throw Violation.safety("one operation was done twice: " + other + " and " + receipt);
    }
    Long mark = markByTrace.putIfAbsent(receipt.trace(), receipt.line().mark());
    if (mark != null && mark != receipt.line().mark()) {
      throw Violation.safety("one ledger ends with " + mark + " and with " + receipt.line());
    }
  }

  /** Nothing comes back, and some order explains all answers. */
  void atEnd(RecordedHistory<Long, Marks> history, int maxConfigurations) {
    DeletableMarks specification = new DeletableMarks();
    for (SeenLedger read : reads) {
      specification.wasRead(read.lines().stream().map(Line::mark).toList());
      Long deletion = deletions.floor(read.version());
      for (Line line : read.lines()) {
        Long written = versionByMark.get(line.mark());
        if (deletion != null && written != null && written < deletion) {
          throw Violation.safety(
              "%s of version %d was deleted by version %d, and read in %d of %s"
                  .formatted(line, written, deletion, read.version(), object));
        }
      }
    }
    Linearizability.Result result =
        Linearizability.check(specification, history, maxConfigurations);
    if (result.verdict() == Linearizability.Verdict.NOT_LINEARIZABLE) {
      throw Violation.safety("no order explains the answers: " + result.explanation());
    }
  }
}
