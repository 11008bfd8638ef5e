package io.testudo.node.examination;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.WireTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A machine of a server that lies over real sockets; inside it are honest ones. */
final class HostileMachine extends Machine<ClientId> {
  /** How it lies. */
  interface Lie {
    /** What it says to who has sent a message, given what an honest machine would say. */
    List<Message> say(Message heard, List<Message> meant);

    /** Which honest machine hears a client. */
    default Object machineFor(ClientId client) {
      return "one";
    }
  }

  /** Says something else where it knows what to forge, and is honest elsewhere. */
  static Lie forging(Function<Message, Optional<Message>> forger) {
    return (heard, meant) -> forger.apply(heard).map(List::of).orElse(meant);
  }

  /** Nothing at all. */
  static Lie pending() {
    return (heard, meant) -> List.of();
  }

  /** Every answer three times. */
  static Lie flooding() {
    return (heard, meant) -> {
      List<Message> said = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        said.addAll(meant);
      }
      return said;
    };
  }

  /** Its first answer again and again, to whoever asks. */
  static Lie replaying() {
    return new Lie() {
      private @Nullable Message old;

      @Override
      public List<Message> say(Message heard, List<Message> meant) {
        if (meant.isEmpty()) {
          return meant;
        }
        old = old == null ? meant.get(0) : old;
        return List.of(old);
      }
    };
  }

  /** Honest to each session, and to each another. */
  static Lie splitting() {
    return new Lie() {
      @Override
      public List<Message> say(Message heard, List<Message> meant) {
        return meant;
      }

      @Override
      public Object machineFor(ClientId client) {
        return client.session();
      }
    };
  }

  private final Supplier<Machine<ClientId>> honest;
  private final Lie lie;
  private final Map<Object, Machine<ClientId>> machines = new HashMap<>();

  HostileMachine(Supplier<Machine<ClientId>> honest, WireTypes types, Lie lie) {
    this.honest = honest;
    this.lie = lie;
    Machine<ClientId> any = honest.get();
    types.all().stream()
        .filter(type -> Message.class.isAssignableFrom(type.type()))
        .forEach(type -> onMessage(type.type().asSubclass(Message.class), this::onAny));
    machines.put("any", any);
  }

  private void onAny(ClientId from, Message message) {
    Machine<ClientId> machine =
        machines.computeIfAbsent(
            lie.machineFor(from),
            key -> {
              Machine<ClientId> fresh = honest.get();
              var unused = fresh.step(new Input.Started<>(List.of()), now());
              return fresh;
            });
    if (!machine.handles(message)) {
      return;
    }
    List<Message> meant = new ArrayList<>();
    for (Effect<ClientId> effect : machine.step(new Input.Received<>(from, message), now())) {
      if (effect instanceof Effect.Send<ClientId> send && send.to().equals(from)) {
        meant.add(send.message());
      }
    }
    lie.say(message, meant).forEach(said -> send(from, said));
  }
}
