package io.testudo.quorum.spi;

/**
 * Carries messages to peers over authenticated channels. It may lose, delay and reorder; it never
 * blocks and never throws because a peer is away.
 *
 * @param <P> how this side names its peers
 * @param <M> what is carried
 */
public interface Transport<P, M> {
  /** Takes a message for a peer; it may wait for {@link #flush} to share a frame with others. */
  void send(P to, M message);

  /** Says that nothing more comes right now: what was taken should leave. */
  void flush();
}
