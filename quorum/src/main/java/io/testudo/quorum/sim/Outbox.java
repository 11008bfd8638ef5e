package io.testudo.quorum.sim;

import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Transport;
import io.testudo.quorum.wire.Envelope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Gathers what one step sends, so that messages to one place share a frame, as they do on a real
 * connection.
 *
 * @param <P> how the machine names its peers
 * @param <D> the places: what all peers behind one connection share
 */
final class Outbox<P, D> implements Transport<P, Message> {
  private final Function<P, D> place;
  private final ToLongFunction<P> handle;
  private final BiConsumer<D, List<Envelope>> ship;
  private final Map<D, List<Envelope>> waiting = new LinkedHashMap<>();

  Outbox(Function<P, D> place, ToLongFunction<P> handle, BiConsumer<D, List<Envelope>> ship) {
    this.place = place;
    this.handle = handle;
    this.ship = ship;
  }

  @Override
  public void send(P to, Message message) {
    waiting
        .computeIfAbsent(place.apply(to), any -> new ArrayList<>(1))
        .add(new Envelope(handle.applyAsLong(to), message));
  }

  @Override
  public void flush() {
    waiting.forEach(ship);
    waiting.clear();
  }
}
