package io.testudo.node.local;

import io.testudo.node.CommandException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of loopback that nobody uses now. They lie below those that systems give to outgoing
 * connections, so that none is taken while its server is away. Processes side by side that have
 * different numbers in the system property {@code testudo.ports} never find the same.
 */
public final class FreePorts {
  private static final int FIRST = 15_000;
  private static final int END = 31_000;
  private static final int TRIES_EACH = 100;
  private static final int PARTS = 8;
  private static final int PART = Math.floorMod(Integer.getInteger("testudo.ports", 0), PARTS);

  private FreePorts() {}

  /** So many different ones. */
  public static List<Integer> find(int count) {
    Set<Integer> found = new LinkedHashSet<>();
    for (int tries = 0; found.size() < count && tries < count * TRIES_EACH; tries++) {
      int drawn = ThreadLocalRandom.current().nextInt(FIRST, END);
      int candidate = drawn - drawn % PARTS + PART;
      if (!found.contains(candidate) && isFree(candidate)) {
        found.add(candidate);
      }
    }
    if (found.size() < count) {
      throw new CommandException(
          "There are not %d free ports on this machine; end some servers.".formatted(count));
    }
    return List.copyOf(found);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
