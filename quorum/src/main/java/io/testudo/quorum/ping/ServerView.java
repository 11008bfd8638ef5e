package io.testudo.quorum.ping;

import io.testudo.quorum.ServerId;

/**
 * What a survey found out about one server.
 *
 * @param answered whether it answered this survey
 * @param claimed the incarnation that it claimed in its answer; 0 if there was none
 * @param vouched the highest incarnation that b+1 servers report, 0 for none: this one counts
 * @param roundTripNanos from the first ping to the answer; 0 if there was none
 */
public record ServerView(
    ServerId server, boolean answered, long claimed, long vouched, long roundTripNanos) {

  /** What the numbers say of the server. */
  public enum Standing {
    /** It has not answered this survey. */
    SILENT,
    /** It says what the others say of it. */
    KNOWN,
    /**
     * It says of itself what not enough others have heard yet: it is new, or has just restarted.
     */
    NEWS,
    /** It speaks of fewer starts than others witnessed: it lost its disk, or it lies. */
    FORGETFUL
  }

  public Standing standing() {
    if (!answered) {
      return Standing.SILENT;
    }
    int order = Long.compare(claimed, vouched);
    return order == 0 ? Standing.KNOWN : order > 0 ? Standing.NEWS : Standing.FORGETFUL;
  }
}
