package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * At a start, a server's number went up from the one that it found on its disk. It has said none of
 * those between: whoever has heard one heard it from another life of this server, which went on
 * from an older or newer copy of the same disk.
 *
 * @param from what it found
 * @param to what it began with
 */
public record Leap(long from, long to) {
  public Leap {
    checkArgument(from >= 0 && from < to, "no leap goes from %s to %s", from, to);
  }

  /** Whether it went past this number. */
  boolean skips(long incarnation) {
    return from < incarnation && incarnation < to;
  }
}
