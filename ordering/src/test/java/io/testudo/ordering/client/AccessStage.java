package io.testudo.ordering.client;

import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.DrawnQuorums;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One client and the servers of a cluster. What the client sends is under way until the test says
 * to whom it gets; answers come at once.
 */
final class AccessStage {
  static final String OBJECT = "text";
  static final long MILLI = 1_000_000L;
  static final long TRIP = 2 * MILLI;
  private static final long FOREVER = Long.MAX_VALUE / 4;
  private static final long WALL_MILLIS = 1_700_000_000_000L;
  private static final SecretBytes KEY =
      SecretBytes.copyOf("a key for one test and no others".getBytes(StandardCharsets.US_ASCII));
  private static final OrderSeals SEALS =
      OrderSeals.of("stage", Sealer.hmac(KEY), SealVerifier.hmac(List.of(KEY)));

  /** As many operations let the measured time of a round trip be what it takes, almost. */
  static final int MANY = 12;

  final Thresholds thresholds;
  final ServerSet everyone;

  /** Those that are asked first if nobody is avoided, and the others. */
  final ServerSet drawn;

  final ServerSet others;
  private final OrderingClient client;
  private final ClientId id = new ClientId("c", 1, 1);
  private final Map<ServerId, OrderingServer> servers = new HashMap<>();
  private final List<Effect.Send<ServerId>> underWay = new ArrayList<>();
  private final List<Effect.Send<ClientId>> answered = new ArrayList<>();
  private final Map<TimerKey, Long> timers = new LinkedHashMap<>();
  private final Map<Long, Object> results = new HashMap<>();
  private final Mode mode;
  private long nowNanos;
  private long lastCall;

  AccessStage(Thresholds thresholds, Access access, Mode mode) {
    this(thresholds, access, mode, OrderTiming.standard().entriesPerSnapshot());
  }

  AccessStage(Thresholds thresholds, Access access, Mode mode, int entriesPerSnapshot) {
    OrderTiming usual = OrderTiming.standard();
    OrderTiming timing =
        new OrderTiming(
            usual.retryNanos(),
            usual.ballotNanos(),
            usual.maxSkewMillis(),
            entriesPerSnapshot,
            usual.patienceNanos(),
            usual.lingerNanos(),
            usual.turnNanos());
    this.thresholds = thresholds;
    this.mode = mode;
    this.everyone = ServerSet.firstN(thresholds.servers());
    this.drawn = new DrawnQuorums(thresholds.quorums()).of(OBJECT, 0);
    this.others = everyone.minus(drawn);
    this.client =
        new OrderingClient(
            thresholds,
            access,
            mode,
            timing,
            OpId.sessionOf(id.principal(), id.session()),
            mode == Mode.PLAIN ? OrderSeals.none() : SEALS,
            Entropy.seeded(5),
            null,
            TurnsBy.RANK);
    everyone.forEach(server -> start(server, Enrolment.FOUNDING));
    step(new Input.Started<>(List.of()));
  }

  /** A server begins with an empty disk. */
  void start(ServerId server, Enrolment as) {
    OrderingServer machine =
        new OrderingServer(mode, as, new OrderingServer.Settings(2_000 * MILLI, 1L << 30));
    servers.put(server, machine);
    machine.step(new Input.Started<>(List.of()), now());
  }

  Moment now() {
    return new Moment(nowNanos, WALL_MILLIS + nowNanos / MILLI);
  }

  private void step(Input<ServerId> input) {
    for (Effect<ServerId> effect : client.step(input, now())) {
      if (effect instanceof Effect.Send<ServerId> send) {
        underWay.add(send);
      } else if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.put(timer.key(), nowNanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ServerId> timer) {
        timers.remove(timer.key());
      } else if (effect instanceof Effect.Complete<ServerId> complete) {
        results.put(complete.id().number(), complete.result());
      } else if (effect instanceof Effect.Fail<ServerId> failure) {
        results.put(failure.id().number(), failure.reason());
      }
    }
  }

  long call(Call<?> call) {
    step(new Input.Called<>(new CallId<>(++lastCall), call));
    return lastCall;
  }

  long submit() {
    return submit(Optional.empty());
  }

  long submit(Optional<Access> access) {
    return submit(OBJECT, access);
  }

  long submit(String object, Optional<Access> access) {
    return call(new SubmitOperation(object, GrowingText.MODEL, Bytes.utf8("x"), FOREVER, access));
  }

  long submit(Bytes operation) {
    return call(
        new SubmitOperation(OBJECT, GrowingText.MODEL, operation, FOREVER, Optional.empty()));
  }

  long read() {
    return read(Optional.empty());
  }

  long read(Optional<Access> access) {
    return call(new ReadObject(OBJECT, GrowingText.MODEL, FOREVER).with(access));
  }

  boolean isDone(long call) {
    return results.containsKey(call);
  }

  /** What was read by a call that is done. */
  Object seen(long call) {
    return ((ReadResult) Objects.requireNonNull(results.get(call))).state();
  }

  /** Those to whom something of this kind is under way. */
  ServerSet sentTo(Class<? extends Message> kind) {
    ServerSet servers = ServerSet.none();
    for (Effect.Send<ServerId> send : underWay) {
      servers = kind.isInstance(send.message()) ? servers.with(send.to()) : servers;
    }
    return servers;
  }

  /** What is under way to a server, of a kind. */
  <M extends Message> List<M> sentTo(ServerId server, Class<M> kind) {
    return underWay.stream()
        .filter(send -> send.to().equals(server) && kind.isInstance(send.message()))
        .map(send -> kind.cast(send.message()))
        .toList();
  }

  /** All that these servers have answered of a kind. */
  <M extends Message> List<M> answers(Class<M> kind) {
    return answered.stream()
        .filter(send -> kind.isInstance(send.message()))
        .map(send -> kind.cast(send.message()))
        .toList();
  }

  /** A round trip of all that is under way to these; what is under way to others stays. */
  void reach(ServerSet reached) {
    List<Effect.Send<ServerId>> now =
        underWay.stream().filter(send -> reached.contains(send.to())).toList();
    underWay.removeAll(now);
    for (Effect.Send<ServerId> send : now) {
      OrderingServer server = Objects.requireNonNull(servers.get(send.to()));
      for (Effect<ClientId> effect : server.step(new Input.Received<>(id, send.message()), now())) {
        if (effect instanceof Effect.Send<ClientId> answer) {
          answered.add(answer);
          hear(send.to(), answer.message());
        }
      }
    }
  }

  /** A round trip passes, and these are reached by all that was sent before. */
  void trip(ServerSet reached) {
    pass(TRIP);
    reach(reached);
  }

  /** What is under way is lost. */
  void lose() {
    underWay.clear();
  }

  void hear(ServerId from, Message message) {
    step(new Input.Received<>(from, message));
  }

  /** A server says that somebody came with a higher rank. */
  void refuse(ServerId from, Rank rank) {
    long time = rank.time() + 1;
    hear(from, new Superseded(OBJECT, rank, new Rank(time, 9), SEALS.seal(OBJECT, time, 9)));
  }

  void pass(long nanos) {
    long untilNanos = nowNanos + nanos;
    while (true) {
      Map.Entry<TimerKey, Long> next =
          timers.entrySet().stream().min(Map.Entry.comparingByValue()).orElse(null);
      if (next == null || next.getValue() > untilNanos) {
        nowNanos = untilNanos;
        return;
      }
      nowNanos = Math.max(nowNanos, next.getValue());
      timers.remove(next.getKey());
      step(new Input.TimerFired<>(next.getKey()));
    }
  }

  /** Has operations done by those that are asked, so that round trips are known. */
  void order(int operations) {
    order(OBJECT, operations);
  }

  void order(String object, int operations) {
    for (int i = 0; i < operations; i++) {
      long call = submit(object, Optional.empty());
      for (int trips = 0; !isDone(call) && trips < 10; trips++) {
        trip(everyone);
      }
      if (!isDone(call)) {
        throw new AssertionError("an operation does not get done");
      }
    }
    lose(); // Commits that nobody waits for.
  }
}
