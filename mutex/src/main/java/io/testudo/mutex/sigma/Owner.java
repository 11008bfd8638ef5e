package io.testudo.mutex.sigma;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Whom a server has granted a lock, as others may know it: enough to tell owners apart.
 *
 * @param time of its request; 0 if there is no owner
 */
public record Owner(long time, long session, long contender) {
  public static final Owner NONE = new Owner(0, 0, 0);

  public Owner {
    checkArgument(time >= 0, "the time %s of a request is negative", time);
  }

  public boolean isNone() {
    return time == 0;
  }
}
