package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Report;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A liar tells of a loss that never was, while another server is brought up to date. */
class InventedLossOfObjectTest {
  private static final Moment NOW = new Moment(1_000, 1_800_000_000_000L);
  private static final Thresholds THRESHOLDS = Mode.PLAIN.need().thresholds(13, 2);
  private static final ClientId ORDERER = new ClientId("orderer", 1, 1);
  private static final ServerId RETURNED = new ServerId(0);
  private static final ServerId ACCUSED = new ServerId(1);
  private static final ServerId LIAR = new ServerId(12);
  private static final MemoryEpoch LIE = new MemoryEpoch(ACCUSED, MemoryEpoch.drawnAt(NOW) + 9);

  private final Map<ServerId, OrderingServer> servers = new HashMap<>();
  private long lastNonce;

  private record Sent(ServerId to, Message message) {}

  @Test
  void isNotHandedOnWhenTheOneItIsToldOfIsSlow() {
    for (int i = 0; i < THRESHOLDS.servers(); i++) {
      ServerId id = new ServerId(i);
      Enrolment enrolment = id.equals(RETURNED) ? Enrolment.RETURNING : Enrolment.FOUNDING;
      OrderingServer server =
          new OrderingServer(Mode.PLAIN, enrolment, OrderingServer.Settings.standard());
      server.step(new Input.Started<>(List.of()), NOW);
      servers.put(id, server);
    }
    OrderingClient client =
        new OrderingClient(
            THRESHOLDS,
            Mode.PLAIN,
            OrderTiming.standard(),
            1,
            OrderSeals.none(),
            () -> ++lastNonce);
    client.step(new Input.Started<>(List.of()), NOW);
    Deque<Sent> messages = new ArrayDeque<>();
    Deque<Sent> slow = new ArrayDeque<>();
    Input<ServerId> call =
        new Input.Called<>(new CallId<>(1), new RestoreObject("a", RETURNED, 1_000_000_000));
    sort(client.step(call, NOW), messages, slow);
    while (!messages.isEmpty() || !slow.isEmpty()) {
      Sent next = messages.isEmpty() ? slow.remove() : messages.remove();
      for (Message answer : answers(next)) {
        sort(client.step(new Input.Received<>(next.to(), answer), NOW), messages, slow);
      }
    }

    Get question =
        new Get(
            "a", 1, new Rank(Long.MAX_VALUE >> 2, 1), Optional.empty(), Optional.empty(), false);
    Message said = answers(new Sent(RETURNED, question)).get(0);
    assertThat(said).isInstanceOf(Report.class);
    assertThat(((Report) said).others()).isEmpty();
  }

  private static void sort(List<Effect<ServerId>> effects, Deque<Sent> messages, Deque<Sent> slow) {
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.Send<ServerId> send) {
        Deque<Sent> queue = send.to().equals(ACCUSED) ? slow : messages;
        queue.add(new Sent(send.to(), send.message()));
      }
    }
  }

  private List<Message> answers(Sent sent) {
    List<Message> answers = new ArrayList<>();
    for (Effect<ClientId> effect :
        Objects.requireNonNull(servers.get(sent.to()))
            .step(new Input.Received<>(ORDERER, sent.message()), NOW)) {
      if (effect instanceof Effect.Send<ClientId> send) {
        answers.add(sent.to().equals(LIAR) ? lied(send.message()) : send.message());
      }
    }
    return answers;
  }

  private static Message lied(Message message) {
    if (!(message instanceof Report report)) {
      return message;
    }
    List<MemoryEpoch> others = new ArrayList<>(report.others());
    others.add(LIE);
    return report.withOthers(others);
  }
}
