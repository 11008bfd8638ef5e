package io.testudo.ordering.sim;

import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.List;

/** A server that never lies, but for the one that the test speaks for. */
final class HandServer {
  private final ByHand hand;
  private final int role;
  private final List<StateRecord> disk = new ArrayList<>();
  private Enrolment enrolment = Enrolment.FOUNDING;
  private OrderingServer machine;

  HandServer(ByHand hand, int role) {
    this.hand = hand;
    this.role = role;
    this.machine = made();
    machine.step(new Input.Started<>(List.of()), hand.now());
  }

  /** Whoever had the tenure has lost it when the next call is made. */
  private OrderingServer made() {
    return new OrderingServer(
        hand.mode, enrolment, new OrderingServer.Settings(200_000_000L, 1L << 30));
  }

  OrderingServer machine() {
    return machine;
  }

  void restart() {
    machine = made();
    machine.step(new Input.Started<>(disk), hand.now());
  }

  /** Starts with an empty disk. */
  List<Effect<ClientId>> startWithoutMemory(Enrolment as) {
    disk.clear();
    enrolment = as;
    hand.nowMillis++;
    machine = made();
    List<Effect<ClientId>> effects = machine.step(new Input.Started<>(List.of()), hand.now());
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Persist<ClientId> persist) {
        disk.add(persist.record());
      }
    }
    return effects;
  }

  /** Hears one message; its answers are under way then, to whomever they go. */
  void hear(ClientId from, Message message) {
    for (Effect<ClientId> effect : machine.step(new Input.Received<>(from, message), hand.now())) {
      if (effect instanceof Effect.Persist<ClientId> persist) {
        disk.add(persist.record());
      } else if (effect instanceof Effect.Send<ClientId> send) {
        hand.answers(role, send.to(), send.message());
      }
    }
    machine.committed(ByHand.OBJECT).ifPresent(hand.agreement::committed);
  }
}
