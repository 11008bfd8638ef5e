package io.testudo.client.cluster;

import io.testudo.client.config.ClientConfig;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.ordering.access.ObjectBackend;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.cluster.Rights;

/** How objects are kept, as a configuration says. */
final class ConfiguredObjects {
  private ConfiguredObjects() {}

  /** Orderers take turns by locks, which are of the protocol that such names have. */
  static ObjectBackend backend(ClientConfig config) {
    String turns = config.common().lock().table().bindingOf(Rights.OBJECT_LOCKS).backend();
    LockProtocol locksOfTurns =
        config.common().lock().protocols().stream()
            .filter(backend -> backend.name().equals(turns))
            .findFirst()
            .orElseThrow(
                () ->
                    new ConfigurationException(
                        "%s: the names '%s' are %s, and objects need them; open them in lock.prefixes."
                            .formatted(config.file(), Rights.OBJECT_LOCKS, turns)));
    return new ObjectBackend(
            config.common().objectMode(),
            OrderTiming.standard(),
            locksOfTurns,
            config.common().objectTurns())
        .with(config.common().objectQuorums(), config.common().objectAccess());
  }
}
