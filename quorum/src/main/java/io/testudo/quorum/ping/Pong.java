package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: the answer to a {@link Ping}.
 *
 * @param server the server's own name for itself
 * @param incarnation goes up with each start on its disk, and while it runs
 * @param quietMillis for how long yet it keeps out of something after its start, such as granting
 *     locks; 0 if it takes part in everything
 * @param leaps those of its last starts
 * @param witnessed the highest incarnations of the others that clients told it of
 */
public record Pong(
    long nonce,
    ServerId server,
    long incarnation,
    long quietMillis,
    ImmutableList<Leap> leaps,
    Incarnations witnessed)
    implements Message {
  /** Of as many starts a server tells. */
  public static final int MAX_LEAPS = 8;

  /**
   * No server keeps quiet for longer than a day by itself: one that says so waits for an operator.
   */
  public static final long MAX_QUIET_MILLIS = 86_400_000L;

  public Pong {
    checkArgument(incarnation > 0, "the incarnation %s is not positive", incarnation);
    checkArgument(
        quietMillis >= 0 && quietMillis <= MAX_QUIET_MILLIS, "quiet for %s ms", quietMillis);
    checkArgument(leaps.size() <= MAX_LEAPS, "%s leaps are too many", leaps.size());
  }

  /** Of a server that takes part in everything. */
  public Pong(long nonce, ServerId server, long incarnation, Incarnations witnessed) {
    this(nonce, server, incarnation, 0, ImmutableList.of(), witnessed);
  }

  /** Whether it has gone past this number without saying it. */
  boolean skips(long heard) {
    for (int i = 0; i < leaps.size(); i++) { // Asked for each answer, and nearly all have none.
      if (leaps.get(i).skips(heard)) {
        return true;
      }
    }
    return false;
  }
}
