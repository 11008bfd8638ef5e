package io.testudo.quorum;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One server of a cluster, by its place in the membership. On the wire and in a {@link ServerSet}
 * it is this index; people read and write it as {@code s0}, {@code s1}, ...
 */
public record ServerId(int index) implements Comparable<ServerId> {
  /** More servers than this no cluster has: a set of servers fits into one long. */
  public static final int MAX_SERVERS = 64;

  public ServerId {
    checkArgument(
        index >= 0 && index < MAX_SERVERS, "a server's index is 0 to 63, %s was given", index);
  }

  @Override
  public int compareTo(ServerId other) {
    return Integer.compare(index, other.index);
  }

  @Override
  public String toString() {
    return "s" + index;
  }
}
