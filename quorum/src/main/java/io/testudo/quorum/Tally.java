package io.testudo.quorum;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The answers to one attempt, counted by distinct server and never by message. The first answer of
 * a server is its answer; another one changes nothing, and if it differs the server is remembered
 * as an equivocator.
 *
 * <p>Servers that say the same are kept as one group: there are few groups unless servers lie, and
 * never more than servers. Groups are found by {@code equals} alone, so that no liar can slow them
 * down with colliding hashes. Not safe for use by several threads.
 *
 * @param <V> what a server says; compared with {@code equals}
 */
public final class Tally<V> {
  private final int clusterSize;
  private final List<V> values;
  private final long[] sayers;
  private long answered;
  private long equivocators;

  /** A tally for the answers of the servers s0 to s(n-1). */
  public Tally(int servers) {
    checkArgument(
        servers >= 1 && servers <= ServerId.MAX_SERVERS,
        "a tally counts 1 to 64 servers, %s were given",
        servers);
    clusterSize = servers;
    values = new ArrayList<>(1);
    sayers = new long[servers];
  }

  /**
   * Counts the answer of a server whose identity was authenticated.
   *
   * @return whether it counts, that is, whether it is the first answer of that server
   * @throws IllegalArgumentException if the server is not one of the cluster: whoever authenticates
   *     must have dropped it
   */
  public boolean add(ServerId from, V value) {
    checkMember(from);
    long bit = ServerSet.bit(from);
    int group = values.indexOf(value);
    if ((answered & bit) != 0) {
      if (group < 0 || (sayers[group] & bit) == 0) {
        equivocators |= bit;
      }
      return false;
    }
    if (group < 0) {
      group = values.size();
      values.add(value);
    }
    sayers[group] |= bit;
    answered |= bit;
    return true;
  }

  /** How many servers answered. */
  public int answered() {
    return Long.bitCount(answered);
  }

  /** The servers that answered. */
  public ServerSet servers() {
    return new ServerSet(answered);
  }

  /** The servers whose answer is this value. */
  public ServerSet serversSaying(V value) {
    return new ServerSet(sayersOf(value));
  }

  /** How many servers' answer is this value. */
  public int count(V value) {
    return Long.bitCount(sayersOf(value));
  }

  /** The answer of one server, if it gave one. */
  public Optional<V> from(ServerId server) {
    checkMember(server);
    for (int group = 0; group < values.size(); group++) {
      if ((sayers[group] & ServerSet.bit(server)) != 0) {
        return Optional.of(values.get(group));
      }
    }
    return Optional.empty();
  }

  /**
   * The value that most servers say, if at least so many say it. Of values said equally often it is
   * the one heard first.
   */
  public Optional<V> valueWith(int votes) {
    int winner = -1;
    int most = Math.max(votes, 1) - 1;
    for (int group = 0; group < values.size(); group++) {
      int count = Long.bitCount(sayers[group]);
      if (count > most) {
        winner = group;
        most = count;
      }
    }
    return winner < 0 ? Optional.empty() : Optional.of(values.get(winner));
  }

  /** All values that at least so many servers say, in the order in which they were first heard. */
  public List<V> valuesWith(int votes) {
    List<V> found = new ArrayList<>();
    for (int group = 0; group < values.size(); group++) {
      if (Long.bitCount(sayers[group]) >= votes) {
        found.add(values.get(group));
      }
    }
    return found;
  }

  /**
   * The k-th highest of what the servers report, each server counted once: with k-1 liars at most,
   * a correct server reports this much or more.
   *
   * @param k 1 is the highest
   * @param key what to compare of an answer
   * @return empty if fewer than k servers answered
   */
  public <C> Optional<C> kthHighest(
      int k, Function<? super V, ? extends C> key, Comparator<? super C> order) {
    checkArgument(k >= 1, "the highest is number 1, number %s was asked for", k);
    List<Report<C>> reports = new ArrayList<>(values.size());
    for (int group = 0; group < values.size(); group++) {
      reports.add(new Report<>(key.apply(values.get(group)), Long.bitCount(sayers[group])));
    }
    reports.sort((one, other) -> order.compare(other.what, one.what));
    int seen = 0;
    for (Report<C> report : reports) {
      seen += report.servers;
      if (seen >= k) {
        return Optional.of(report.what);
      }
    }
    return Optional.empty();
  }

  private record Report<C>(C what, int servers) {}

  /** The servers whose answer was another than the one that won. */
  public ServerSet outvotedBy(V winner) {
    return new ServerSet(answered & ~sayersOf(winner));
  }

  /** The servers that gave two answers that differ: proof that they are faulty. */
  public ServerSet equivocators() {
    return new ServerSet(equivocators);
  }

  private long sayersOf(V value) {
    int group = values.indexOf(value);
    return group < 0 ? 0 : sayers[group];
  }

  private void checkMember(ServerId server) {
    checkArgument(
        server.index() < clusterSize,
        "%s is not one of the %s servers whose answers are counted",
        server,
        clusterSize);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int group = 0; group < values.size(); group++) {
      text.append(group == 0 ? "" : ", ")
          .append(new ServerSet(sayers[group]))
          .append(" say ")
          .append(values.get(group));
    }
    return text.isEmpty() ? "no answers" : text.toString();
  }
}
