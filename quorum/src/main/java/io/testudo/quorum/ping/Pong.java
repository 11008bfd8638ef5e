package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: the answer to a {@link Ping}.
 *
 * @param server the server's own name for itself
 * @param incarnation how often it has started on its disk
 * @param witnessed the highest incarnations of the others that clients told it of
 */
public record Pong(long nonce, ServerId server, long incarnation, Incarnations witnessed)
    implements Message {
  public Pong {
    checkArgument(incarnation > 0, "the incarnation %s is not positive", incarnation);
  }
}
