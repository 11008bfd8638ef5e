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
 * @param otherLife a number that b+1 others have heard of it and that it went past without saying
 *     it, 0 for none: it goes on from a copy of its disk
 */
public record ServerView(
    ServerId server,
    boolean answered,
    long claimed,
    long known,
    long vouched,
    long roundTripNanos,
    long quietMillis,
    long otherLife) {

  /** One that has said all that others have heard of it. */
  public ServerView(
      ServerId server,
      boolean answered,
      long claimed,
      long known,
      long vouched,
      long roundTripNanos,
      long quietMillis) {
    this(server, answered, claimed, known, vouched, roundTripNanos, quietMillis, 0);
  }

  /** Whether the server of a {@code testudo server} has started since, or went back. */
  public boolean hasStartedSince(ServerView before) {
    return claimed < before.claimed || claimed - before.claimed >= Counting.MIN_LEAP;
  }

  /** What the numbers say of the server. */
  public enum Standing {
    /** It has not answered, or not before the survey was over. */
    SILENT,
    /** It says what the others say of it. */
    KNOWN,
    /** Its own word and that of the others differ: it is new, or has just restarted. */
    NEWS,
    /**
     * It knows nothing of what it was heard to say before: it went on from a copy of its disk, or
     * lies.
     */
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
    if (claimed < known || otherLife > 0) {
      return Standing.FORGETFUL;
    }
    return claimed == vouched ? Standing.KNOWN : Standing.NEWS;
  }
}
