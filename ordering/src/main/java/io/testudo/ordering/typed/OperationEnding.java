package io.testudo.ordering.typed;

import com.google.common.base.Utf8;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectTypeException;
import io.testudo.ordering.OperationFailedException;
import io.testudo.ordering.ValueReader;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;
import java.util.Objects;

/** How an operation ended, with which its result begins; numbers are permanent. */
enum OperationEnding {
  DONE(0),
  THREW(1),
  TOO_LARGE(2),
  OTHER_TYPE(3);

  private static final int MOST_BYTES = 32;
  private static final int MAX_REASON_CHARS = 512;

  private final int number;

  OperationEnding(int number) {
    this.number = number;
  }

  Bytes bytes() {
    return Codec.INT.encode(number, MOST_BYTES, "an ending");
  }

  /**
   * What an operation gave.
   *
   * @param what it was, for people
   * @throws TestudoException if it did not happen
   */
  static <R> R read(String object, String what, Codec<R> results, Bytes bytes) {
    ValueReader in = new ValueReader(bytes);
    long ending = in.readLong();
    Bytes rest = in.readRest();
    if (ending == DONE.number) {
      return results.decode(rest);
    }
    String reason = rest.toText();
    if (ending == TOO_LARGE.number) {
      throw new ValueTooLargeException(reason);
    }
    if (ending == OTHER_TYPE.number) {
      throw new ObjectTypeException(object, reason, 0, Outcome.DID_NOT_HAPPEN);
    }
    throw new OperationFailedException(object, what, reason);
  }

  /** What was thrown, as far as it can be told. Even that is code of the application. */
  static String messageOf(Throwable thrown) {
    if (thrown instanceof TestudoException ours) {
      return shortened(ours.problem()); // What is thrown at the submitter says what came of it.
    }
    String name = thrown.getClass().getName();
    return shortened(
        TypedModel.guarded(
            () -> Objects.requireNonNullElse(thrown.getMessage(), name), again -> name));
  }

  private static String shortened(String reason) {
    String cut =
        reason.length() <= MAX_REASON_CHARS ? reason : reason.substring(0, MAX_REASON_CHARS);
    try {
      int unused = Utf8.encodedLength(cut);
      return cut;
    } catch (IllegalArgumentException e) {
      return cut.replaceAll("[\\ud800-\\udfff]", "?"); // Half a character has no bytes.
    }
  }
}
