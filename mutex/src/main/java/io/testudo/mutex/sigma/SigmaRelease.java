package io.testudo.mutex.sigma;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Client to server: RELEASE, this epoch is over.
 *
 * @param token the fencing token that was used in it, {@link #UNUSED} or {@link #UNKNOWN}
 */
public record SigmaRelease(String lock, long contender, long time, long token)
    implements SigmaRequest {
  /** The lock was not entered. */
  public static final long UNUSED = 0;

  /** It is so long ago that the client does not know whether it had entered. */
  public static final long UNKNOWN = -1;

  public SigmaRelease {
    SigmaRequest.checkHead(lock, time);
    checkArgument(token >= UNKNOWN && token <= MAX_TIME, "the token %s is none", token);
  }
}
