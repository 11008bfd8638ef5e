package io.testudo.ordering.client;

import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Sessions;
import io.testudo.quorum.Bytes;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What came of operations after their callers had given up: they may ask again. */
final class LateResults {
  /** When there are more, the oldest are forgotten here; servers may still know them. */
  static final int MAX_RESULTS = 1_024;

  /** The same for their bytes. */
  static final int MAX_BYTES = 4 << 20;

  private final Map<OpId, Sessions.Outcome> results = new LinkedHashMap<>();
  private int bytes;

  void put(OpId id, Sessions.Outcome outcome) {
    results.put(id, outcome);
    bytes += sizeOf(outcome);
    Iterator<Sessions.Outcome> oldest = results.values().iterator();
    while (results.size() > MAX_RESULTS || bytes > MAX_BYTES) {
      bytes -= sizeOf(oldest.next());
      oldest.remove();
    }
  }

  Sessions.@Nullable Outcome get(OpId id) {
    return results.get(id);
  }

  private static int sizeOf(Sessions.Outcome outcome) {
    return outcome.result().map(Bytes::size).orElse(0);
  }
}
