package io.testudo.ordering.sim.scope;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All states that a correct server was ever in, by number. A server is copied by a restart from its
 * snapshot, so what is not in a snapshot is found missing here, too.
 */
final class Servers {
  static final int FRESH = 0;
  private static final Moment NOW = new Moment(0, 0);

  private final Mode mode;
  private final List<List<StateRecord>> snapshots = new ArrayList<>();
  private final Map<List<StateRecord>, Integer> numbers = new HashMap<>();
  private final Map<Asked, Answer> answers = new HashMap<>();

  private record Asked(int server, int client, int message) {}

  /**
   * What came of a message.
   *
   * @param server the state after it
   * @param replies numbers of what was said to the sender
   */
  record Answer(int server, List<Message> replies) {}

  Servers(Mode mode) {
    this.mode = mode;
    number(List.of());
  }

  private int number(List<StateRecord> snapshot) {
    return numbers.computeIfAbsent(
        snapshot,
        any -> {
          snapshots.add(snapshot);
          return snapshots.size() - 1;
        });
  }

  Answer hear(int server, int client, ClientId from, int messageNumber, Message message) {
    return answers.computeIfAbsent(
        new Asked(server, client, messageNumber), any -> step(server, from, message));
  }

  private Answer step(int server, ClientId from, Message message) {
    OrderingServer machine = new OrderingServer(mode);
    machine.step(new Input.Started<>(snapshots.get(server)), NOW);
    List<Message> replies = new ArrayList<>();
    for (Effect<ClientId> effect : machine.step(new Input.Received<>(from, message), NOW)) {
      if (effect instanceof Effect.Send<ClientId> send && send.to().equals(from)) {
        replies.add(send.message());
      }
    }
    return new Answer(number(List.copyOf(machine.snapshot())), replies);
  }
}
