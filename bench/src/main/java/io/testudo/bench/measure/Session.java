package io.testudo.bench.measure;

import java.io.IOException;

/** The connected clients of one contestant. */
public interface Session extends AutoCloseable {
  /**
   * Starts one operation of a client that has none under way. Called by the measuring thread, and
   * by {@link Completion}s on whatever thread ended an operation.
   *
   * <p>It must not block, nor call {@link Completion#done} before it returns: the next operation
   * starts from there, and the stack would grow with every one. Each operation ends exactly once.
   *
   * @param client from 0 to the number of clients less one
   */
  void start(int client, Completion completion);

  /** Disconnects all clients. No operation is under way by then, unless one failed. */
  @Override
  void close() throws IOException;
}
