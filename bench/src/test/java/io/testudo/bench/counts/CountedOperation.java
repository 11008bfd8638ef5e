package io.testudo.bench.counts;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.ordering.access.ObjectBackend;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Together;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The operations whose costs are guarded, on four servers of which one may lie. */
enum CountedOperation {
  PING("ping", 1, 0) {
    @Override
    WireTypes types() {
      return PingTypes.ALL;
    }

    @Override
    Machine<ClientId> server(ServerId self, Entropy chance) {
      return new PingServer(self, SERVERS);
    }

    @Override
    Machine<ServerId> client(ClientId id, Entropy chance) {
      return new PingClient(
          Need.PING.thresholds(SERVERS, BYZANTINE), TimeUnit.SECONDS.toNanos(1), chance);
    }

    @Override
    Call<?> call() {
      return new Survey(Survey.Await.QUORUM, HOUR_NANOS);
    }
  },
  BACKOFF_ALONE("backoff-uncontended", 1, 0) {
    @Override
    LockProtocol locks() {
      return new BackoffProtocol(LockTiming.standard());
    }
  },
  BACKOFF_CONTENDED("backoff-8-contend", 8, 0) {
    @Override
    LockProtocol locks() {
      return new BackoffProtocol(LockTiming.standard());
    }
  },
  SIGMA_ALONE("sigma-uncontended", 1, 0) {
    @Override
    LockProtocol locks() {
      return new SigmaProtocol(LockTiming.standard());
    }
  },
  SIGMA_CONTENDED("sigma-8-contend", 8, 0) {
    @Override
    LockProtocol locks() {
      return new SigmaProtocol(LockTiming.standard());
    }
  },
  INCREMENT_WARM("increment-warm", 1, 0),
  INCREMENT_COLD("increment-cold", 1, 5_000),
  INCREMENT_SEPARATE("increment-8-separate", 8, 0);

  static final int SERVERS = 4;
  static final int BYZANTINE = 1;

  private static final String NAME = "name";
  private static final String CLUSTER = "counts";
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final SecretBytes GROUP_KEY =
      SecretBytes.copyOf("a group key for virtual time only".getBytes(US_ASCII));

  private static final TypedModel<Long> MODEL = new TypedModel<>(CounterObject.TYPE);

  private final String word;
  private final int clients;
  private final long idleMillis;

  CountedOperation(String word, int clients, long idleMillis) {
    this.word = word;
    this.clients = clients;
    this.idleMillis = idleMillis;
  }

  String word() {
    return word;
  }

  int clients() {
    return clients;
  }

  /** For how long a client does nothing between two operations. */
  long idleNanos() {
    return TimeUnit.MILLISECONDS.toNanos(idleMillis);
  }

  /** Null for an object. */
  @org.jspecify.annotations.Nullable
  LockProtocol locks() {
    return null;
  }

  WireTypes types() {
    LockProtocol locks = locks();
    return locks == null ? ObjectBackend.standard().types() : locks.types();
  }

  Machine<ClientId> server(ServerId self, Entropy chance) {
    LockProtocol locks = locks();
    return locks == null
        ? new Together<>(ObjectBackend.standard().serverMachines(chance))
        : locks.serverMachine(LockScope.everything(), chance);
  }

  Machine<ServerId> client(ClientId id, Entropy chance) {
    LockProtocol locks = locks();
    if (locks == null) {
      Thresholds thresholds = ObjectBackend.standard().thresholds(SERVERS, BYZANTINE);
      return ObjectBackend.standard()
          .clientMachine(
              thresholds,
              id.principal(),
              id.session(),
              ObjectSeals.group(CLUSTER, Map.of("", GROUP_KEY)),
              chance);
    }
    return locks.clientMachine(
        new LockProtocol.Member(
            locks.thresholds(SERVERS, BYZANTINE, LockOptions.Servers.ALL),
            locks.access(),
            id.session(),
            GroupRankSeals.of(CLUSTER, Map.of("", GROUP_KEY)),
            chance));
  }

  Call<?> call() {
    return locks() == null
        ? new SubmitOperation(NAME, MODEL, MODEL.operation(CounterObject.ADD, 1L), HOUR_NANOS)
        : Acquire.of(NAME, TimeUnit.SECONDS.toNanos(1), Acquire.FOREVER);
  }
}
