package io.testudo.node.examination;

import io.testudo.quorum.ServerId;

/**
 * What an examination found of one server.
 *
 * @param words what it said or did, to follow its name
 */
public record Observation(ServerId server, Kind kind, String words) {
  /** What follows from it. */
  public enum Kind {
    /** It answered all that it was asked, as a correct server does. */
    CORRECT,
    /** It refused for a reason that a correct server may have. */
    REFUSES,
    /** It did not answer. */
    SILENT,
    /** It may be correct, if something rare has happened. */
    ODD,
    /** It said what no correct server says. */
    LIES
  }
}
