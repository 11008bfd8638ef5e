package io.testudo.quorum.protocol;

import io.testudo.quorum.QuorumSystem;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.ThresholdQuorums;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Draws, for each name, the quorum that is asked first. All clients draw the same one for a name:
 * those who contend meet at the same servers, and a server that is asked for a name has what was
 * stored under it. Different names have different quorums, which spreads the load.
 *
 * <p>A server that was late is avoided for a while, and for longer each time. That it answers after
 * all changes nothing: one that is always a little late would else cost every access a round trip.
 */
public final class DrawnQuorums {
  private static final long FIRST_AVOIDED_NANOS = 1_000_000_000L;
  private static final int MOST_DOUBLINGS = 6;

  private static final long FNV_BASIS = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;

  private final QuorumSystem quorums;

  /** Until when a server is avoided; meaningless if it was never late. */
  private final long[] avoidedUntilNanos;

  /** How often a server was late since it was last in time. */
  private final int[] timesLate;

  public DrawnQuorums(QuorumSystem quorums) {
    this.quorums = quorums;
    this.avoidedUntilNanos = new long[quorums.servers()];
    this.timesLate = new int[quorums.servers()];
  }

  /** The quorum to be asked first for a name. */
  public ServerSet of(String name, long nowNanos) {
    ServerSet avoided = avoided(nowNanos);
    long seed = hash(name);
    return quorums instanceof ThresholdQuorums
        ? firstOf(seed, avoided)
        : quorums.choose(avoided, Entropy.seeded(seed)::nextInt);
  }

  /** Those that were late not long ago. */
  public ServerSet avoided(long nowNanos) {
    ServerSet avoided = ServerSet.none();
    for (ServerId server : ServerSet.firstN(quorums.servers())) {
      int i = server.index();
      if (timesLate[i] > 0 && nowNanos - avoidedUntilNanos[i] < 0) {
        avoided = avoided.with(server);
      }
    }
    return avoided;
  }

  /** These were asked and had not answered when the others were asked, or denied in vain. */
  public void late(ServerSet servers, long nowNanos) {
    for (ServerId server : servers) {
      int i = server.index();
      int doublings = Math.min(timesLate[i], MOST_DOUBLINGS);
      if (nowNanos - avoidedUntilNanos[i] >= 0 || timesLate[i] == 0) {
        timesLate[i]++;
        avoidedUntilNanos[i] = nowNanos + (FIRST_AVOIDED_NANOS << doublings);
      }
    }
  }

  /** These answered before anybody else was asked. */
  public void inTime(ServerSet servers, long nowNanos) {
    for (ServerId server : servers.minus(avoided(nowNanos))) {
      timesLate[server.index()] = 0;
    }
  }

  /**
   * Each name has an order of the servers of its own, and the first that are not avoided are taken:
   * when one is avoided, the others stay.
   */
  private ServerSet firstOf(long seed, ServerSet avoided) {
    List<ServerId> order = new ArrayList<>(quorums.servers());
    long[] places = new long[quorums.servers()];
    Entropy drawn = Entropy.seeded(seed);
    for (ServerId server : ServerSet.firstN(quorums.servers())) {
      order.add(server);
      places[server.index()] = drawn.nextLong();
    }
    order.sort(
        Comparator.<ServerId, Boolean>comparing(avoided::contains)
            .thenComparing(server -> places[server.index()]));
    ServerSet quorum = ServerSet.none();
    for (ServerId server : order.subList(0, quorums.quorumSize())) {
      quorum = quorum.with(server);
    }
    return quorum;
  }

  private static long hash(String name) {
    long hash = FNV_BASIS;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }
}
