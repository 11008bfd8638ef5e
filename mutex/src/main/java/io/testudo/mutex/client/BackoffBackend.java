package io.testudo.mutex.client;

import io.testudo.mutex.backoff.BackoffClient;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.BackoffTuning;
import io.testudo.mutex.backoff.BackoffTypes;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
import java.time.Duration;

/**
 * The timed backoff mutex, on servers of which b may lie.
 *
 * @param timing the same for all clients and servers of a cluster
 * @param tuning a matter of each client
 */
public record BackoffBackend(LockTiming timing, BackoffTuning tuning) implements LockBackend {
  public static final String NAME = BackoffServer.PROTOCOL;

  /** With the usual tuning. */
  public BackoffBackend(LockTiming timing) {
    this(timing, BackoffTuning.standard());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public WireTypes types() {
    return BackoffTypes.ALL;
  }

  @Override
  public Duration maxHold() {
    return Duration.ofNanos(timing.maxHoldNanos());
  }

  @Override
  public Machine<ServerId> clientHalf(Member member) {
    Need need =
        switch (member.asked()) {
          case ALL -> Need.LOCK_ALL_SERVERS;
          case QUORUM -> Need.LOCK_QUORUMS;
        };
    return new BackoffClient(
        need.thresholds(member.servers(), member.byzantine()),
        timing,
        tuning,
        member.session(),
        member.seals(),
        member.entropy());
  }

  @Override
  public Machine<ClientId> serverHalf(ServerId self) {
    return new BackoffServer(timing);
  }

  @Override
  public Machine<ClientId> serverHalf(ServerId self, LockScope scope) {
    return new BackoffServer(timing, scope);
  }
}
