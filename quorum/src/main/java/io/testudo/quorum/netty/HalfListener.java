package io.testudo.quorum.netty;

import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.runtime.HostListener;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a half's surroundings do with what it tells. */
final class HalfListener<P> implements HostListener<P> {
  private static final Logger LOG = LoggerFactory.getLogger(HalfListener.class);

  private final String name;
  private final Consumer<Event> events;
  private final Consumer<RuntimeException> whenBroken;

  HalfListener(String name, Consumer<Event> events, Consumer<RuntimeException> whenBroken) {
    this.name = name;
    this.events = events;
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

  @Override
  public void broken(RuntimeException cause) {
    LOG.error("{} broke its own invariant and has stopped", name, cause);
    whenBroken.accept(cause);
  }
}
