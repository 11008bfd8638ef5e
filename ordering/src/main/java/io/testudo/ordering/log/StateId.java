package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.crypto.Digest;

/**
 * A version of an object, and how it came about.
 *
 * @param version 0 for the initial state
 * @param link digest of the history that leads to it
 */
public record StateId(long version, Digest link) {
  /** So that there is always a next one. */
  public static final long MAX_VERSION = 1L << 62;

  public StateId {
    checkArgument(
        version >= 0 && version <= MAX_VERSION, "there is no version %s of an object", version);
  }

  /** Where every history of an object begins. */
  public static StateId genesis(String object) {
    return new StateId(0, Digest.builder("testudo object").add(object).build());
  }

  @Override
  public String toString() {
    return "v" + version + ":" + link.toString().substring(0, 6);
  }
}
