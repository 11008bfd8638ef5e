package io.testudo.ordering.server;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Entries;
import io.testudo.ordering.message.Fetch;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Part;
import java.util.List;
import java.util.Optional;

/** The part of the server machine that sends what leads to a state. */
final class BodySender extends Part<ClientId> {
  private final ServedObjects objects;
  private final ServerMemory memory;

  BodySender(Part<ClientId> server, ServedObjects objects, ServerMemory memory) {
    super(server);
    this.objects = objects;
    this.memory = memory;
    onMessage(Fetch.class, this::onFetch);
  }

  private void onFetch(ClientId from, Fetch fetch) {
    ServedObject object = objects.get(fetch.object());
    if (object == null || !object.history.holds(fetch.wanted()) || !memory.allows(from, 0)) {
      return;
    }
    Optional<List<Entry>> fromKnown = object.history.path(fetch.known(), fetch.wanted());
    List<Entry> entries =
        fromKnown.orElseGet(
            () -> object.history.path(object.history.start(), fetch.wanted()).orElse(List.of()));
    Optional<LogSnapshot> snapshot =
        fromKnown.isPresent() ? Optional.empty() : object.history.snapshot();
    if (!memory.allows(
        from, Entries.bytesOf(entries) + snapshot.map(it -> it.body().size()).orElse(0))) {
      return; // It will be asked for again.
    }
    Bodies.parts(object.name, fetch.wanted(), snapshot, entries).forEach(part -> send(from, part));
  }
}
