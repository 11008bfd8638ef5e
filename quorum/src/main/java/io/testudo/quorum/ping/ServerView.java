package io.testudo.quorum.ping;

import io.testudo.quorum.ServerId;

/**
 * What a survey found out about one server.
 *
 * @param answered whether it answered this survey
 * @param claimed the incarnation that it claimed in its answer; 0 if there was none
 * @param known the highest incarnation that this client knew of before it asked, 0 for none
 * @param vouched the highest incarnation that b+1 servers report, 0 for none: this one counts
 * @param roundTripNanos from the first ping to the answer; 0 if there was none
 * @param quietMillis for how long yet it keeps out of something, as it says
 */
public record ServerView(
    ServerId server,
    boolean answered,
    long claimed,
    long known,
    long vouched,
    long roundTripNanos,
    long quietMillis) {

  /** What the numbers say of the server. */
  public enum Standing {
    /** It has not answered, or not before the survey was over. */
    SILENT,
    /** It says what the others say of it. */
    KNOWN,
    /** Its own word and that of the others differ: it is new, or has just restarted. */
    NEWS,
    /** It speaks of fewer starts than were known before it was asked: it lost its disk, or lies. */
    FORGETFUL
  }

  /** Whether it keeps out of something until an operator has told it what it has lost. */
  public boolean awaitsOperator() {
    return quietMillis >= Pong.MAX_QUIET_MILLIS;
  }

  public Standing standing() {
    if (!answered) {
      return Standing.SILENT;
    }
    if (claimed < known) {
      return Standing.FORGETFUL;
    }
    return claimed == vouched ? Standing.KNOWN : Standing.NEWS;
  }
}
