package io.testudo.ordering.server;

import io.testudo.quorum.ClientId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where to reach the clients that want something done to an object, by their sessions. Those that
 * were heard of least recently are forgotten: they are told when they ask again.
 */
final class Submitters {
  private static final int MAX_KNOWN = 65_536;

  private record Key(String object, long session) {}

  private final Map<Key, ClientId> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, ClientId> eldest) {
          return size() > MAX_KNOWN;
        }
      };

  void heard(String object, long session, ClientId client) {
    known.put(new Key(object, session), client);
  }

  @Nullable ClientId of(String object, long session) {
    return known.get(new Key(object, session));
  }
}
