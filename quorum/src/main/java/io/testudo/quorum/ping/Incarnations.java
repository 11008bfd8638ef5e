package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.ServerId;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;

/** For each server of a cluster, an incarnation, or 0 where none is known. Immutable. */
public final class Incarnations {
  private final long[] byServer;

  private Incarnations(long[] byServer) {
    checkArgument(
        byServer.length <= ServerId.MAX_SERVERS, "%s servers are too many", byServer.length);
    for (long incarnation : byServer) {
      checkArgument(incarnation >= 0, "the incarnation %s is negative", incarnation);
    }
    this.byServer = byServer;
  }

  public static Incarnations none(int servers) {
    return new Incarnations(new long[servers]);
  }

  public static Incarnations of(long... byServer) {
    return new Incarnations(byServer.clone());
  }

  /** One that asks {@code incarnation} for each server's. */
  static Incarnations of(int servers, IntToLongFunction incarnation) {
    checkArgument(servers <= ServerId.MAX_SERVERS, "%s servers are too many", servers);
    long[] byServer = new long[servers];
    Arrays.setAll(byServer, incarnation);
    return new Incarnations(byServer);
  }

  /** Whether nothing is known of any server. */
  public boolean isNone() {
    return Arrays.stream(byServer).allMatch(incarnation -> incarnation == 0);
  }

  public int servers() {
    return byServer.length;
  }

  public long of(ServerId server) {
    return byServer[server.index()];
  }

  /** The same but for one server. */
  public Incarnations with(ServerId server, long incarnation) {
    long[] changed = byServer.clone();
    changed[server.index()] = incarnation;
    return new Incarnations(changed);
  }

  /** Hands over all of them, by server index. */
  void forEach(LongConsumer taker) {
    for (long incarnation : byServer) {
      taker.accept(incarnation);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Incarnations that && Arrays.equals(byServer, that.byServer);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(byServer);
  }

  @Override
  public String toString() {
    return Arrays.toString(byServer);
  }
}
