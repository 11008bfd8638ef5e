package io.testudo.bench.cluster;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Tells the process that started this one how much heap is in use after a full collection. It
 * answers on a port of loopback, and a connection is all there is to say.
 */
final class HeapTeller implements AutoCloseable {
  private static final int ANSWER_WITHIN_MILLIS = 60_000;

  private final ServerSocket listening;

  private HeapTeller(ServerSocket listening) {
    this.listening = listening;
  }

  static HeapTeller start() throws IOException {
    HeapTeller teller = new HeapTeller(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    Thread thread = new Thread(teller::answerAll, "heap teller");
    thread.setDaemon(true);
    thread.start();
    return teller;
  }

  int port() {
    return listening.getLocalPort();
  }

  private void answerAll() {
    while (!listening.isClosed()) {
      try (Socket asked = listening.accept();
          DataOutputStream out = new DataOutputStream(asked.getOutputStream())) {
        out.writeLong(usedBytes());
      } catch (IOException e) {
        // The asker is gone, or this was closed.
      }
    }
  }

  /** Of this process. */
  static long usedBytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  /** Of the process that has a teller there. */
  static long ask(int port) throws IOException {
    try (Socket asking = new Socket(InetAddress.getLoopbackAddress(), port);
        DataInputStream in = new DataInputStream(asking.getInputStream())) {
      asking.setSoTimeout(ANSWER_WITHIN_MILLIS);
      return in.readLong();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
