package io.testudo.ordering.sim;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.OperationFailedException;
import io.testudo.ordering.sim.LedgerModel.Line;
import io.testudo.ordering.sim.LedgerModel.Lines;
import io.testudo.ordering.sim.LedgerModel.Receipt;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.spi.Entropy;
import java.util.Optional;

/**
 * The ledger as an application defines a type, with code that throws wherever that of applications
 * may: where an operation is read, decided or written, and where a state is.
 */
final class FragileLedger {
  private static final int TYPE = 100;
  private static final double STATE_SHARE = 0.03;

  private final Entropy failures;
  private final boolean failsAtTimes;
  private final Operation<Lines, Task, Receipt> write;
  private final TypedModel<Lines> model;

  /** Where it throws next. */
  private Task armed = Task.of(0);

  /** Where an operation throws. */
  enum Trap {
    NONE,
    ARGUMENT,
    DECISION,
    DELTA,
    RESULT,
    STATE
  }

  /**
   * A line to write.
   *
   * @param thrown what the trap throws, by number
   */
  record Task(long mark, Trap trap, int thrown) {
    static Task of(long mark) {
      return new Task(mark, Trap.NONE, 0);
    }

    /** One that will throw. */
    static Task trapped(long mark, Entropy entropy) {
      Trap[] traps = Trap.values();
      return new Task(mark, traps[1 + entropy.nextInt(traps.length - 1)], entropy.nextInt(4));
    }
  }

  /**
   * Makes one.
   *
   * @param failsAtTimes whether states cannot be written now and then, whatever they are
   */
  FragileLedger(Entropy entropy, boolean failsAtTimes) {
    LedgerModel ledger = new LedgerModel(entropy);
    this.failures = entropy.fork(1);
    this.failsAtTimes = failsAtTimes;
    Codec<Line> deltas =
        Codec.of(
            (line, out) -> {
              spring(Trap.DELTA);
              out.writeFixed64(line.mark()).writeFixed64(line.drawn());
            },
            in -> new Line(in.readFixed64(), in.readFixed64()));
    this.write =
        Operation.of(1, "write", arguments(), results())
            .changing(
                deltas,
                (Lines lines, Task task) -> {
                  spring(Trap.DECISION);
                  Line line = ledger.line(task.mark());
                  return Change.to(line, Receipt.after(lines.with(line)));
                },
                Lines::with);
    Codec<Lines> states =
        Codec.BYTES.mapped(
            ledger::decode,
            lines -> {
              springState();
              return ledger.encode(lines);
            });
    this.model =
        new TypedModel<>(ObjectType.of(TYPE, "ledger", states, ledger.initial()).with(write));
  }

  private Codec<Task> arguments() {
    return Codec.of(
        (task, out) ->
            out.writeFixed64(task.mark()).writeString(task.trap().name()).writeLong(task.thrown()),
        in -> {
          armed = new Task(in.readFixed64(), Trap.valueOf(in.readString()), (int) in.readLong());
          spring(Trap.ARGUMENT);
          return armed;
        });
  }

  private Codec<Receipt> results() {
    return Codec.BYTES.mapped(
        Receipt::decode,
        receipt -> {
          spring(Trap.RESULT);
          return receipt.encode();
        });
  }

  private void springState() {
    spring(Trap.STATE);
    if (failsAtTimes && failures.chance(STATE_SHARE)) {
      throwSome(failures.nextInt(4));
    }
  }

  private void spring(Trap here) {
    if (armed.trap() == here) {
      int thrown = armed.thrown();
      armed = Task.of(0);
      throwSome(thrown);
    }
  }

  private static void throwSome(int which) {
    switch (which) {
      case 0 -> throw new IllegalStateException("a trap");
      case 1 -> throw new AssertionError("a trap");
      case 2 -> throw new StackOverflowError("a trap");
      default -> throw new NoClassDefFoundError("a trap");
    }
  }

  TypedModel<Lines> model() {
    return model;
  }

  Operation<Lines, Task, Receipt> write() {
    return write;
  }

  /** What a write came to; nothing if it threw, which only those do that are to. */
  Optional<Receipt> receipt(String object, Task task, Bytes result) {
    try {
      Receipt receipt = model.result(object, write, result);
      if (task.trap() != Trap.NONE) {
        throw Violation.safety(task + " throws, and was answered by " + receipt);
      }
      return Optional.of(receipt);
    } catch (OperationFailedException e) {
      if (!failsAtTimes) {
        throw Violation.safety(task + " was answered by what nobody threw: " + e.getMessage());
      }
      return Optional.empty();
    }
  }
}
