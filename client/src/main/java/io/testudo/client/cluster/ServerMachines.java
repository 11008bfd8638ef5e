package io.testudo.client.cluster;

import com.google.common.collect.ImmutableList;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.inquiry.InquiryTypes;
import io.testudo.client.inquiry.StatusServer;
import io.testudo.mutex.protocol.LockListTypes;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.ordering.message.Enrolled;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.ping.Counting;
import io.testudo.quorum.ping.Incarnated;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.wire.WireTypes;
import java.security.SecureRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Which machines a server has, by what the members of its cluster have agreed on. */
public final class ServerMachines {
  private static final String PING = "ping";
  private static final String LOCK = "lock-";
  private static final String OBJECT = "object";
  private static final String STATUS = "status";

  private static final SecureRandom RANDOM = new SecureRandom();

  /** More than a server leaps ahead in all, if it starts less than once in a second. */
  private static final long LEAPS_PER_MILLI = 1_100;

  private ServerMachines() {}

  /**
   * A machine of a server.
   *
   * @param name of its journal, too
   * @param machine makes it as it is at a start
   * @param keeps whether it has a journal
   */
  public record NamedMachine(String name, Supplier<Machine<ClientId>> machine, boolean keeps) {}

  /**
   * The machines of one server, as they are at a start.
   *
   * @param enrolment what an empty journal of objects means
   * @param version of the program, to tell who asks
   * @param quietMillis for how long yet the server keeps out of something, to tell who asks
   */
  public static ImmutableList<NamedMachine> of(
      ServerId self,
      ClusterDescription cluster,
      CommonSettings common,
      Enrolment enrolment,
      String version,
      LongSupplier quietMillis) {
    return of(self, cluster, common, enrolment, version, quietMillis, () -> common.print(cluster));
  }

  /**
   * The same.
   *
   * @param print a fingerprint of what all members agree on, as of now
   */
  public static ImmutableList<NamedMachine> of(
      ServerId self,
      ClusterDescription cluster,
      CommonSettings common,
      Enrolment enrolment,
      String version,
      LongSupplier quietMillis,
      Supplier<String> print) {
    ImmutableList.Builder<NamedMachine> machines = ImmutableList.builder();
    OrderingServer.Settings settings =
        new OrderingServer.Settings(
            OrderingServer.COURTESY_NANOS, Runtime.getRuntime().maxMemory() / 2);
    machines.add(
        new NamedMachine(
            PING,
            () ->
                new PingServer(
                    self, cluster.servers(), quietMillis, Counting.leaping(RANDOM::nextLong)),
            true));
    for (LockProtocol backend : common.lock().protocols()) {
      LockScope scope = common.lock().table().scopeOf(backend.name());
      machines.add(
          new NamedMachine(
              LOCK + backend.name(),
              () -> backend.serverMachine(scope, RANDOM::nextLong),
              backend.keepsJournal()));
    }
    machines.add(
        new NamedMachine(
            OBJECT, () -> new OrderingServer(common.objectMode(), enrolment, settings), true));
    machines.add(
        new NamedMachine(
            STATUS, () -> new StatusServer(self, cluster.servers(), version, print), false));
    return machines.build();
  }

  /** Whether a machine of this name serves locks. */
  public static boolean isLock(String machine) {
    return machine.startsWith(LOCK);
  }

  /** What members of such a cluster say to each other and keep. */
  public static WireTypes types(CommonSettings common) {
    WireTypes types =
        PingTypes.ALL.and(OrderingTypes.ALL).and(LockListTypes.ALL).and(InquiryTypes.ALL);
    for (LockProtocol backend : common.lock().protocols()) {
      types = types.and(backend.types());
    }
    return types;
  }

  /**
   * The journals that a server may need, also after its locks are configured otherwise: a journal
   * that is missing later counts as lost.
   */
  public static ImmutableList<String> journals(CommonSettings common) {
    ImmutableList.Builder<String> names = ImmutableList.builder();
    names.add(PING);
    LockProtocols.ALL.protocols().stream()
        .filter(LockProtocol::keepsJournal)
        .forEach(protocol -> names.add(LOCK + protocol.name()));
    names.add(OBJECT);
    return names.build();
  }

  /** What the journal of a machine begins with at a new server. */
  public static ImmutableList<StateRecord> founding(String machine) {
    return switch (machine) {
      case PING -> ImmutableList.of(new Incarnated(1)); // So that the first start leaps, too.
      case OBJECT -> ImmutableList.of(Enrolled.FOUNDER);
      default -> ImmutableList.of();
    };
  }

  /**
   * What the journal of a machine begins with at a server that lost it. Its starts are counted on
   * from a number above any that it had. Of locks it is what their protocol says. Objects wait for
   * clients to bring them.
   */
  public static ImmutableList<StateRecord> returning(
      String machine, CommonSettings common, long wallMillis) {
    if (machine.equals(PING)) {
      return ImmutableList.of(new Incarnated(wallMillis * LEAPS_PER_MILLI));
    }
    return LockProtocols.ALL.protocols().stream()
        .filter(protocol -> machine.equals(LOCK + protocol.name()))
        .findFirst()
        .map(protocol -> protocol.withTiming(common.lock().timing()).readmitted(wallMillis))
        .orElse(ImmutableList.of());
  }
}
