package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableLongArray;
import io.testudo.quorum.ServerId;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** For each server of a cluster, an incarnation, or 0 where none is known. Immutable. */
public final class Incarnations {
  private final ImmutableLongArray byServer;

  /** By server index. */
  Incarnations(ImmutableLongArray byServer) {
    checkArgument(
        byServer.length() <= ServerId.MAX_SERVERS, "%s servers are too many", byServer.length());
    for (int i = 0; i < byServer.length(); i++) {
      checkArgument(byServer.get(i) >= 0, "the incarnation %s is negative", byServer.get(i));
    }
    this.byServer = byServer;
  }

  public static Incarnations none(int servers) {
    return of(new long[servers]);
  }

  public static Incarnations of(long... byServer) {
    return new Incarnations(ImmutableLongArray.copyOf(byServer));
  }

  /** One that asks {@code incarnation} for each server's. */
  static Incarnations of(int servers, IntToLongFunction incarnation) {
    long[] byServer = new long[servers];
    Arrays.setAll(byServer, incarnation);
    return of(byServer);
  }

  /** Whether nothing is known of any server. */
  public boolean isNone() {
    return byServer.stream().allMatch(incarnation -> incarnation == 0);
  }

  public int servers() {
    return byServer.length();
  }

  public long of(ServerId server) {
    return byServer.get(server.index());
  }

  /** The same but for one server. */
  public Incarnations with(ServerId server, long incarnation) {
    long[] changed = byServer.toArray();
    changed[server.index()] = incarnation;
    return of(changed);
  }

  /** All of them, by server index. */
  ImmutableLongArray byServer() {
    return byServer;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Incarnations that && byServer.equals(that.byServer);
  }

  @Override
  public int hashCode() {
    return byServer.hashCode();
  }

  @Override
  public String toString() {
    return byServer.toString();
  }
}
