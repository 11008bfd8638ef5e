package io.testudo.ordering.protocol;

import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Optional;

/**
 * Server to client: what leads to the state that you want.
 *
 * @param base where it begins, if it does not begin at what you know
 */
public record Bodies(String object, StateId wanted, Optional<Base> base, List<Entry> entries)
    implements Message {
  public Bodies {
    entries = List.copyOf(entries);
  }
}
