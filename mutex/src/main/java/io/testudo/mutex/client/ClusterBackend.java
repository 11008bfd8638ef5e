package io.testudo.mutex.client;

import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockRights;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.Access;
import io.testudo.quorum.Need;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Moment;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A lock protocol on connections to the servers of a cluster.
 *
 * @param servers how many there are
 * @param byzantine how many of them may lie
 */
record ClusterBackend(
    NettyClient client, int servers, int byzantine, RankSeals seals, LockProtocol protocol)
    implements LockBackend {
  private static final SecureRandom RANDOM = new SecureRandom();

  @Override
  public String name() {
    return protocol.name();
  }

  @Override
  public Duration maxHold() {
    return protocol.maxHold();
  }

  @Override
  public Optional<String> whyUnfenced() {
    return Optional.empty();
  }

  @Override
  public LockOptions.Servers resolved(LockOptions.Servers wished) {
    return wished != LockOptions.Servers.CONFIGURED
        ? wished
        : protocol.access() == Access.ALL
            ? LockOptions.Servers.ALL
            : LockOptions.Servers.QUORUM_FIRST;
  }

  @Override
  public Moment now() {
    return client.now();
  }

  @Override
  public ClientMachine start(LockOptions.Servers asked, Consumer<Event> events, Runnable stopped) {
    LockProtocol.Member member =
        new LockProtocol.Member(
            protocol.thresholds(servers, byzantine, asked),
            asked == LockOptions.Servers.QUORUM_FIRST ? Access.QUORUM : Access.ALL,
            client.session(),
            seals,
            RANDOM::nextLong);
    LockRights machine =
        new LockRights(protocol.clientMachine(member), Need.PING.thresholds(servers, byzantine));
    return client.start(machine, events, stopped);
  }

  @Override
  public void stop(ClientMachine machine) {
    machine.close();
  }
}
