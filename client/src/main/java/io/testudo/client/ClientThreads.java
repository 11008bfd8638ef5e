package io.testudo.client;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.netty.Callbacks;
import io.testudo.quorum.netty.ClientLoops;
import java.util.concurrent.Executor;

/**
 * Threads that many clients of one process share. A client that is made without them has a thread
 * of its own for its connections, and others for what is chained to its futures: that is right for
 * the one client of a process, and far too much for dozens of them.
 *
 * <pre>{@code
 * try (ClientThreads threads = ClientThreads.start(2);
 *     TestudoClient one = TestudoClient.builder(confOfOne).threads(threads).connect();
 *     TestudoClient another = TestudoClient.builder(confOfAnother).threads(threads).connect()) {
 *   ...
 * }
 * }</pre>
 */
public final class ClientThreads implements AutoCloseable {
  private final ClientLoops loops;
  private final Callbacks callbacks = Callbacks.onOwnThreads("testudo-callback");

  private ClientThreads(ClientLoops loops) {
    this.loops = loops;
  }

  /**
   * Starts threads.
   *
   * @param connections how many threads serve all connections; more than there are cores gain
   *     nothing. Those that serve futures and listeners start when they are needed
   */
  public static ClientThreads start(int connections) {
    checkArgument(connections > 0, "no connection is served by %s threads", connections);
    return new ClientThreads(ClientLoops.start(connections));
  }

  ClientLoops loops() {
    return loops;
  }

  Executor callbacks() {
    return callbacks;
  }

  /** Ends the threads; close the clients that use them first. */
  @Override
  public void close() {
    loops.close();
    callbacks.close();
  }
}
