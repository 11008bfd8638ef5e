package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: the answer to a {@link Ping}.
 *
 * @param server the server's own name for itself
 * @param incarnation how often it has started on its disk
 * @param quietMillis for how long yet it keeps out of something after its start, such as granting
 *     locks; 0 if it takes part in everything
 * @param witnessed the highest incarnations of the others that clients told it of
 */
public record Pong(
    long nonce, ServerId server, long incarnation, long quietMillis, Incarnations witnessed)
    implements Message {
  /**
   * No server keeps quiet for longer than a day by itself: one that says so waits for an operator.
   */
  public static final long MAX_QUIET_MILLIS = 86_400_000L;

  public Pong {
    checkArgument(incarnation > 0, "the incarnation %s is not positive", incarnation);
    checkArgument(
        quietMillis >= 0 && quietMillis <= MAX_QUIET_MILLIS, "quiet for %s ms", quietMillis);
  }

  /** Of a server that takes part in everything. */
  public Pong(long nonce, ServerId server, long incarnation, Incarnations witnessed) {
    this(nonce, server, incarnation, 0, witnessed);
  }
}
