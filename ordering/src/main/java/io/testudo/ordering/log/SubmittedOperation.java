package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.crypto.Seal;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Right;
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

  /** The right that its submitter needs. */
  public Right right() {
    return rightTo(body);
  }

  /** The right to do this: whoever ends an object ends what others have ordered. */
  public static Right rightTo(Bytes body) {
    return LifeLabel.isOnLife(body) ? Right.ORDER : Right.SUBMIT;
  }

  @Override
  public String toString() {
    return "SubmittedOperation[" + id + ", " + body.size() + " bytes]";
  }
}
