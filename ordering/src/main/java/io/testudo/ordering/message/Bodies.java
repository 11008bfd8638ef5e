package io.testudo.ordering.message;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.StateId;
import io.testudo.quorum.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Server to client: what leads to the state that you want, or the next part of it.
 *
 * @param isFirst whether this part begins it; what came before then no longer counts
 * @param snapshot where it begins, in the first part, if it does not begin at what you know
 */
public record Bodies(
    String object,
    StateId wanted,
    boolean isFirst,
    Optional<LogSnapshot> snapshot,
    List<Entry> entries)
    implements Message {
  public Bodies {
    entries = List.copyOf(entries);
  }

  /** As many messages as are needed. */
  public static List<Bodies> parts(
      String object, StateId wanted, Optional<LogSnapshot> snapshot, List<Entry> entries) {
    List<Bodies> parts = new ArrayList<>();
    int room = Entries.MAX_BYTES - snapshot.map(it -> it.body().size()).orElse(0);
    for (List<Entry> some : Entries.chunks(entries, room)) {
      boolean isFirst = parts.isEmpty();
      parts.add(new Bodies(object, wanted, isFirst, isFirst ? snapshot : Optional.empty(), some));
    }
    return parts;
  }
}
