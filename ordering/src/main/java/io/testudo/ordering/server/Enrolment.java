package io.testudo.ordering.server;

/**
 * What an empty journal means. A server whose disk was lost has forgotten what it promised, so it
 * must not be taken for one that has promised nothing.
 */
public enum Enrolment {
  /** The server is new: what it does not know of has never been. */
  FOUNDING,
  /**
   * The server has lost its memory and was readmitted by an operator: what it does not know of may
   * have been. After a while it takes part in what clients bring it up to date with.
   */
  RETURNING,
  /** The server should have a memory. Without one it says nothing, and counts among the faulty. */
  EXPECTED
}
