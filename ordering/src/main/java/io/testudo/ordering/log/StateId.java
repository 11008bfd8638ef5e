package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.crypto.Digest;
import org.jspecify.annotations.Nullable;

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

  /** Written out: the links of most states that are compared are the same object. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StateId state && version == state.version && link.equals(state.link);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(version) + link.hashCode();
  }

  @Override
  public String toString() {
    return "v" + version + ":" + link.toString().substring(0, 6);
  }
}
