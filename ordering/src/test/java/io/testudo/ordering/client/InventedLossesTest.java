package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.AskMemory;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A liar tells of losses that never were, while another server is readmitted. */
class InventedLossesTest {
  private static final long WALL_MILLIS = 1_800_000_000_000L;
  private static final ClientId ADMIN = new ClientId("admin", 1, 1);
  private static final ServerId RETURNED = new ServerId(0);
  private static final ServerId ACCUSED = new ServerId(1);
  private static final ServerId LIAR = new ServerId(6);
  private static final Thresholds THRESHOLDS = Mode.SEALED_STATEMENTS.need().thresholds(7, 2);
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Map<ServerId, OrderingServer> servers = new HashMap<>();
  private final List<Effect<ServerId>> outcomes = new ArrayList<>();
  private List<MemoryEpoch> lie = List.of();
  private boolean liarIsSilent;
  private boolean accusedIsSilent;
  private Moment now = new Moment(1_000, WALL_MILLIS);
  private long lastNonce;

  @BeforeEach
  void start() {
    for (int i = 0; i < THRESHOLDS.servers(); i++) {
      begin(new ServerId(i), Enrolment.FOUNDING);
    }
  }

  private void begin(ServerId id, Enrolment enrolment) {
    OrderingServer server =
        new OrderingServer(Mode.SEALED_STATEMENTS, enrolment, OrderingServer.Settings.standard());
    server.step(new Input.Started<>(List.of()), now);
    servers.put(id, server);
  }

  private void pass(long millis) {
    now =
        new Moment(now.nanos() + TimeUnit.MILLISECONDS.toNanos(millis), now.wallMillis() + millis);
  }

  /** Lets a server in, until nothing more happens; timers ring when all is quiet. */
  private void readmit(ServerId lost) {
    begin(lost, Enrolment.RETURNING);
    Entropy entropy = () -> ++lastNonce;
    OrderTiming timing = OrderTiming.standard();
    OrderingClient orderer =
        new OrderingClient(
            THRESHOLDS, Mode.SEALED_STATEMENTS, timing, 1, OrderSeals.none(), entropy);
    Readmitter readmitter = new Readmitter(THRESHOLDS, timing, entropy, orderer);
    readmitter.step(new Input.Started<>(List.of()), now);
    outcomes.clear();
    Deque<Input<ServerId>> inputs = new ArrayDeque<>();
    Deque<TimerKey> timers = new ArrayDeque<>();
    inputs.add(new Input.Called<>(new CallId<>(1), new ReadmitObjects(lost, TIMEOUT_NANOS)));
    while (outcomes.isEmpty()) {
      if (inputs.isEmpty()) {
        pass(1_000);
        inputs.add(new Input.TimerFired<>(timers.remove()));
      }
      for (Effect<ServerId> effect : readmitter.step(inputs.remove(), now)) {
        if (effect instanceof Effect.Send<ServerId> send) {
          answers(send.to(), send.message())
              .forEach(answer -> inputs.add(new Input.Received<>(send.to(), answer)));
        } else if (effect instanceof Effect.SetTimer<ServerId> set) {
          timers.remove(set.key());
          timers.add(set.key());
        } else if (effect instanceof Effect.Complete || effect instanceof Effect.Fail) {
          outcomes.add(effect);
        }
      }
    }
  }

  private List<Message> answers(ServerId id, Message message) {
    if ((id.equals(LIAR) && liarIsSilent) || (id.equals(ACCUSED) && accusedIsSilent)) {
      return List.of();
    }
    List<Message> answers = new ArrayList<>();
    for (Effect<ClientId> effect :
        Objects.requireNonNull(servers.get(id)).step(new Input.Received<>(ADMIN, message), now)) {
      if (effect instanceof Effect.Send<ClientId> send) {
        answers.add(id.equals(LIAR) ? lied((MemoryPage) send.message()) : send.message());
      }
    }
    return answers;
  }

  private MemoryPage lied(MemoryPage page) {
    List<MemoryEpoch> lost = new ArrayList<>(page.lost());
    lost.addAll(lie);
    return new MemoryPage(
        page.nonce(),
        page.epoch(),
        page.isComplete(),
        page.doubtful(),
        lost,
        page.names(),
        page.more());
  }

  private static MemoryEpoch tomorrow(ServerId server) {
    return new MemoryEpoch(
        server, MemoryEpoch.drawnAt(new Moment(0, WALL_MILLIS + TimeUnit.HOURS.toMillis(23))));
  }

  private List<MemoryEpoch> lostAsToldBy(ServerId server) {
    return ((MemoryPage) answers(server, new AskMemory(1, List.of(), "")).get(0)).lost();
  }

  @Test
  void noLiarKeepsAnotherServerFromBeingReadmittedLater() {
    lie = List.of(tomorrow(ACCUSED), new MemoryEpoch(new ServerId(40), 7));
    readmit(RETURNED);
    assertThat(outcomes).singleElement().isInstanceOf(Effect.Complete.class);
    assertThat(lostAsToldBy(RETURNED)).isEmpty();

    // Two servers fail: the liar, which is silent now, and the one that it told of.
    pass(TimeUnit.HOURS.toMillis(1));
    liarIsSilent = true;
    readmit(ACCUSED);
    assertThat(outcomes).singleElement().isInstanceOf(Effect.Complete.class);
  }

  @Test
  void aLossOfOneThatDoesNotAnswerIsHandedOn() {
    lie = List.of(tomorrow(ACCUSED));
    accusedIsSilent = true;
    readmit(RETURNED);

    assertThat(lostAsToldBy(RETURNED)).containsExactly(tomorrow(ACCUSED));
  }

  @Test
  void aLossThatWasIsHandedOn() {
    readmit(ACCUSED);
    MemoryEpoch loss =
        new MemoryEpoch(ACCUSED, Objects.requireNonNull(servers.get(ACCUSED)).epoch());
    pass(1_000);
    readmit(RETURNED);

    assertThat(lostAsToldBy(RETURNED)).containsExactly(loss);
  }
}
