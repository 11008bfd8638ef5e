package io.testudo.quorum;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.StringJoiner;

/**
 * An immutable set of servers. It is one long, bit {@code i} for server {@code i}, so that sets are
 * combined and counted without allocating more than the result.
 */
public record ServerSet(long bits) implements Iterable<ServerId> {
  private static final ServerSet NONE = new ServerSet(0);
  private static final ServerId[] SERVERS = allServers();

  /** The set of the given servers. */
  public static ServerSet of(ServerId... servers) {
    long bits = 0;
    for (ServerId server : servers) {
      bits |= bit(server);
    }
    return new ServerSet(bits);
  }

  /** All servers of a cluster of {@code n}: s0 to s(n-1). */
  public static ServerSet firstN(int n) {
    checkArgument(
        n >= 0 && n <= ServerId.MAX_SERVERS, "a set holds 0 to 64 servers, %s were asked for", n);
    return n == 0 ? NONE : new ServerSet(-1L >>> (ServerId.MAX_SERVERS - n));
  }

  /** The empty set. */
  public static ServerSet none() {
    return NONE;
  }

  public boolean contains(ServerId server) {
    return (bits & bit(server)) != 0;
  }

  public ServerSet with(ServerId server) {
    return new ServerSet(bits | bit(server));
  }

  public ServerSet without(ServerId server) {
    return new ServerSet(bits & ~bit(server));
  }

  public ServerSet union(ServerSet other) {
    return new ServerSet(bits | other.bits);
  }

  public ServerSet intersect(ServerSet other) {
    return new ServerSet(bits & other.bits);
  }

  public ServerSet minus(ServerSet other) {
    return new ServerSet(bits & ~other.bits);
  }

  /** The servers of a cluster of {@code n} that are not in this set. */
  public ServerSet complement(int n) {
    return firstN(n).minus(this);
  }

  public int size() {
    return Long.bitCount(bits);
  }

  public boolean isEmpty() {
    return bits == 0;
  }

  /** Whether every server of {@code other} is in this set. */
  public boolean isSupersetOf(ServerSet other) {
    return (other.bits & ~bits) == 0;
  }

  /** The servers in the order of their index. */
  @Override
  public Iterator<ServerId> iterator() {
    return new InIndexOrder(bits);
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "{", "}");
    for (ServerId server : this) {
      text.add(server.toString());
    }
    return text.toString();
  }

  /** The one bit that stands for a server. */
  static long bit(ServerId server) {
    return 1L << server.index();
  }

  private static ServerId[] allServers() {
    ServerId[] servers = new ServerId[ServerId.MAX_SERVERS];
    for (int index = 0; index < servers.length; index++) {
      servers[index] = new ServerId(index);
    }
    return servers;
  }

  private static final class InIndexOrder implements Iterator<ServerId> {
    private long left;

    InIndexOrder(long bits) {
      left = bits;
    }

    @Override
    public boolean hasNext() {
      return left != 0;
    }

    @Override
    public ServerId next() {
      if (left == 0) {
        throw new NoSuchElementException();
      }
      ServerId lowest = SERVERS[Long.numberOfTrailingZeros(left)];
      left &= left - 1;
      return lowest;
    }
  }
}
