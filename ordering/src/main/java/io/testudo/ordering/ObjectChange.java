package io.testudo.ordering;

import java.util.OptionalInt;

/**
 * What has become of an object.
 *
 * @param version in which that is so; more may have happened since
 * @param type the number of its type, if it is there and servers know it
 */
public record ObjectChange(String name, Kind kind, long version, OptionalInt type) {
  /** What is new. */
  public enum Kind {
    /** It is there, and was not before, as far as the listener knows. */
    CREATED,
    /** There is a newer version of it. */
    CHANGED,
    /** It was deleted. */
    DELETED
  }
}
