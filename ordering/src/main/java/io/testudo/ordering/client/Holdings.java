package io.testudo.ordering.client;

import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What servers hold of an object's past as far as one ballot knows: what they reported, and what
 * they were sent since. A server that was not asked for a while lacks entries; one that is asked
 * first now is sent them along, which spares a round trip. Whoever lacks more all the same says so.
 */
final class Holdings {
  private final Map<ServerId, StateId> sent = new HashMap<>();

  /** These were sent what leads to a state. */
  void wereSent(ServerSet servers, StateId state) {
    for (ServerId server : servers) {
      sent.put(server, state);
    }
  }

  /** Whether a server was sent what leads to a state, or to a later one. */
  boolean wasSent(ServerId server, StateId state) {
    StateId last = sent.get(server);
    return last != null && last.version() >= state.version();
  }

  /**
   * The newest state that a server is known to hold, of those that we hold ourselves.
   *
   * @return nothing if the server has told nothing
   */
  Optional<StateId> of(ServerId server, ReportTally tally, ClientObject<?> object) {
    StateId last = sent.get(server);
    if (last != null) {
      return Optional.of(last);
    }
    return Optional.ofNullable(tally.byServer().get(server))
        .map(
            report ->
                Stream.concat(report.proposed().stream(), report.committed().stream())
                    .map(Statement::state)
                    .filter(object.history::holds)
                    .reduce((one, other) -> one.version() >= other.version() ? one : other)
                    .orElse(StateId.genesis(object.name)));
  }
}
