package io.testudo.quorum.netty;

import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.runtime.HostListener;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a machine's surroundings do with what it tells. */
final class MachineListener<P> implements HostListener<P> {
  private static final Logger LOG = LoggerFactory.getLogger(MachineListener.class);

  private final String name;
  private final Consumer<Event> events;
  private final Consumer<P> whenFaulted;
  private final Consumer<Throwable> whenBroken;

  MachineListener(
      String name,
      Consumer<Event> events,
      Consumer<P> whenFaulted,
      Consumer<Throwable> whenBroken) {
    this.name = name;
    this.events = events;
    this.whenFaulted = whenFaulted;
    this.whenBroken = whenBroken;
  }

  @Override
  public void told(Event event) {
    try {
      events.accept(event);
    } catch (RuntimeException e) {
      LOG.warn("whoever hears what {} tells threw at {}", name, event, e); // Not our invariant.
    }
  }

  /** As many lines as the penalties let through. */
  @Override
  public void faulted(Input.Received<P> input, RuntimeException fault) {
    LOG.warn(
        "{} threw on a {} of {}: the message is dropped, the machine starts anew from its journal,"
            + " and the sender is not heard for a while",
        name,
        input.message().getClass().getSimpleName(),
        input.from(),
        fault);
    whenFaulted.accept(input.from());
  }

  @Override
  public void broken(Throwable cause) {
    whenBroken.accept(cause);
  }
}
