package io.testudo.quorum.sim;

import io.testudo.crypto.SealScheme;

/**
 * With what simulated clients seal what they say.
 *
 * @param stolen whether liars have all the keys of a client that may submit: a key that all share
 *     lets them speak for everybody, a key of its own for that client only
 */
public record SealSetting(SealScheme scheme, boolean stolen) {
  /** As a cluster has it unless it is told otherwise. */
  public static final SealSetting STANDARD = new SealSetting(SealScheme.HMAC_SHA256, false);

  /** Whether what nobody said can be told from what somebody said. */
  boolean isSafe() {
    return !stolen || scheme == SealScheme.ED25519;
  }
}
