package io.testudo.mutex.dht.sigma;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A machine with other names for its peers inside of a node. What it sends is handed to somebody
 * who knows where these are; all else goes out with the step of the node.
 *
 * @param <Q> how the machine names its peers
 */
final class HostedMachine<Q> extends Part<NodeId> {
  /** A timer of a hosted machine, as the node knows it. */
  record Timer(int slot, TimerKey key) implements TimerKey {}

  private final int slot;
  private final Machine<Q> machine;
  private final BiConsumer<Q, Message> mail;

  /**
   * Hosts a machine and starts it, inside of a step.
   *
   * @param slot tells the machines of one node apart
   */
  HostedMachine(Part<NodeId> node, int slot, Machine<Q> machine, BiConsumer<Q, Message> mail) {
    super(node);
    this.slot = slot;
    this.machine = machine;
    this.mail = mail;
    step(new Input.Started<>(List.of()));
  }

  void step(Input<Q> input) {
    for (Effect<Q> effect : machine.step(input, now())) {
      carryOut(effect);
    }
  }

  boolean handles(Message message) {
    return machine.handles(message);
  }

  @SuppressWarnings("unchecked") // A machine answers a call with the type that the call names.
  private void carryOut(Effect<Q> effect) {
    if (effect instanceof Effect.Send<Q> send) {
      mail.accept(send.to(), send.message());
    } else if (effect instanceof Effect.SetTimer<Q> timer) {
      setTimer(new Timer(slot, timer.key()), timer.delayNanos());
    } else if (effect instanceof Effect.CancelTimer<Q> timer) {
      cancelTimer(new Timer(slot, timer.key()));
    } else if (effect instanceof Effect.Complete<Q> complete) {
      complete((CallId<Object>) complete.id(), complete.result());
    } else if (effect instanceof Effect.Fail<Q> failure) {
      TestudoException reason = failure.reason();
      fail(failure.id(), reason);
    } else if (effect instanceof Effect.Tell<Q> tell) {
      tell(tell.event());
    }
  }
}
