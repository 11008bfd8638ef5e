package io.testudo.mutex.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A server machine on its own: the test plays the clients, the clock and the disk. */
abstract class ServerStage {
  static final long MILLI = 1_000_000L;
  static final LockTiming TIMING = new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  static final long LEASE = TIMING.leaseNanos(100 * MILLI);
  static final long SERVER_LEASE = TIMING.serverLeaseNanos(LEASE);
  static final long LONGEST = TIMING.serverLeaseNanos(TIMING.maxLeaseNanos());
  static final String LOCK = "printer";
  static final ClientId ALICE = new ClientId("alice", 7, 1);
  static final ClientId BOB = new ClientId("bob", 8, 1);
  static final ClientId CAROL = new ClientId("carol", 9, 1);

  /** Ranks of this test: the same millisecond as its wall clock, in order. */
  static final long BASE = RankClock.atWall(1_000_000);

  BackoffServer server = new BackoffServer(TIMING);
  long nanos;
  long wallMillis = 1_000_001;
  final List<Effect<ClientId>> effects = new ArrayList<>();
  final Map<TimerKey, Long> timers = new HashMap<>();

  void step(Input<ClientId> input) {
    effects.clear();
    effects.addAll(server.step(input, new Moment(nanos, wallMillis)));
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.SetTimer<ClientId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      }
    }
  }

  void start(StateRecord... recovered) {
    step(new Input.Started<>(List.of(recovered)));
  }

  List<Message> sentTo(ClientId client) {
    List<Message> sent = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Send<ClientId> send && send.to().equals(client)) {
        sent.add(send.message());
      }
    }
    return sent;
  }

  List<StateRecord> persisted() {
    List<StateRecord> records = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Persist<ClientId> persist) {
        records.add(persist.record());
      }
    }
    return records;
  }

  void tries(ClientId who, long rank, long number, boolean joins) {
    tries(who, 0, rank, LEASE, number, joins);
  }

  void tries(ClientId who, long contender, long rank, long leaseNanos, long number, boolean joins) {
    step(
        new Input.Received<>(
            who,
            new Try(LOCK, contender, BASE + rank, Optional.empty(), leaseNanos, number, joins)));
  }

  void renews(ClientId who, long rank, long number) {
    step(new Input.Received<>(who, new Renew(LOCK, 0, BASE + rank, LEASE, number)));
  }

  void releases(ClientId who, long rank) {
    step(new Input.Received<>(who, new Release(LOCK, 0, BASE + rank)));
  }

  static Free free(long rank, long number) {
    return new Free(LOCK, 0, BASE + rank, number);
  }

  void assertStale(ClientId who, long rank, long last) {
    assertThat(sentTo(who))
        .singleElement()
        .isInstanceOfSatisfying(
            Stale.class,
            stale -> {
              assertThat(stale.time()).isEqualTo(BASE + rank);
              assertThat(stale.last().time()).isEqualTo(BASE + last);
            });
  }

  void assertLocked(ClientId who, long remainingNanos) {
    assertThat(sentTo(who))
        .singleElement()
        .isInstanceOfSatisfying(
            Locked.class, locked -> assertThat(locked.remainingNanos()).isEqualTo(remainingNanos));
  }
}
