package io.testudo.ordering.client;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Event;

/**
 * How far the readmission of a server has come.
 *
 * @param count of what the step is about: servers, names, objects
 * @param of as many there are in all
 */
public record ReadmissionProgress(ServerId server, Step step, int count, int of) implements Event {
  /** What was done. */
  public enum Step {
    /** So many servers have taken note of the loss, for every object. */
    NOTED,
    /** So many names were listed, by so many servers. */
    LISTED,
    /** The server was told all of them: every other object is new. */
    COMPLETED,
    /** It was brought up to date with so many. */
    RESTORED
  }
}
