package io.testudo.quorum.netty;

import io.netty.channel.EventLoop;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Host;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.spi.Transport;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A machine that keeps nothing on disk, on a loop: with calls from any thread, and messages of its
 * peers.
 *
 * @param <P> how the machine names its peers
 */
public final class PeerMachine<P> {
  private final ClientMachine calls;

  /** Set once, while the machine of calls is made. */
  private @Nullable Host<P> host;

  private PeerMachine(
      String name,
      EventLoop loop,
      Maker<P> maker,
      Supplier<Map<ServerId, String>> states,
      Runnable whenStarted,
      Runnable whenStopped) {
    this.calls =
        new ClientMachine(
            name,
            loop,
            whenBroken -> {
              Host<P> made = maker.make(whenBroken);
              host = made;
              return made;
            },
            states,
            started -> whenStarted.run(),
            whenStopped);
  }

  private interface Maker<P> {
    Host<P> make(Consumer<Throwable> whenBroken);
  }

  /** One that ends if it throws: a client's. */
  static <P> PeerMachine<P> once(
      Machine<P> machine,
      EventLoop loop,
      Transport<P, Message> transport,
      Consumer<Event> events,
      Supplier<Map<ServerId, String>> states,
      Runnable whenStarted,
      Runnable whenStopped) {
    String name = machine.getClass().getSimpleName();
    return new PeerMachine<>(
        name,
        loop,
        whenBroken ->
            new Host<>(
                machine,
                transport,
                Ledger.none(),
                SystemTicker.INSTANCE,
                new LoopAlarm(loop, whenBroken),
                new MachineListener<>(name, events, faulted -> {}, whenBroken)),
        states,
        whenStarted,
        whenStopped);
  }

  /**
   * One in whose place a fresh one begins if it throws on a message.
   *
   * @param whenFaulted hears whose message that was
   */
  static <P> PeerMachine<P> restorable(
      Supplier<Machine<P>> machines,
      EventLoop loop,
      Transport<P, Message> transport,
      Consumer<Event> events,
      Consumer<P> whenFaulted,
      Runnable whenStopped) {
    Machine<P> first = machines.get();
    String name = first.getClass().getSimpleName();
    return new PeerMachine<>(
        name,
        loop,
        whenBroken ->
            Host.restorable(
                first,
                machines,
                transport,
                Ledger.none(),
                SystemTicker.INSTANCE,
                new LoopAlarm(loop, whenBroken),
                new MachineListener<>(name, events, whenFaulted, whenBroken)),
        Map::of,
        () -> {},
        whenStopped);
  }

  /** Takes calls, and ends it. */
  public ClientMachine calls() {
    return calls;
  }

  /** Hands over a message, on the loop; false if the machine takes no such ones. */
  public boolean receive(P from, Message message) {
    Host<P> present = host;
    if (present == null || !present.handles(message)) {
      return false;
    }
    present.receive(from, message);
    return true;
  }
}
