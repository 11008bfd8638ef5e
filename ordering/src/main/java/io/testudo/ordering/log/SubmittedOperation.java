package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.crypto.Seal;
import io.testudo.quorum.Bytes;
import java.util.Optional;

/**
 * What a client wants done to an object.
 *
 * @param floor results up to this sequence have reached the submitter and can be forgotten
 * @param body means something to the object's type only
 * @param seal of the submitter, where statements are sealed
 */
public record SubmittedOperation(OpId id, long floor, Bytes body, Optional<Seal> seal) {
  /** The longest body. */
  public static final int MAX_BODY_BYTES = 1 << 20;

  public SubmittedOperation {
    checkArgument(
        floor >= 0 && floor < id.sequence(), "%s cannot have received up to %s", id, floor);
    checkArgument(
        body.size() <= MAX_BODY_BYTES, "an operation of %s bytes is too long", body.size());
  }

  @Override
  public String toString() {
    return "SubmittedOperation[" + id + ", " + body.size() + " bytes]";
  }
}
