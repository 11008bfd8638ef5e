package io.testudo.ordering.client;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.testudo.crypto.Digest;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Moment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What servers say of the proposals with one operation that they have accepted: the last word of
 * each counts. A word grows old, as a ballot does, because its server may have lost its memory
 * since.
 */
final class Inclusions {
  private final Map<ServerId, Word> words = new HashMap<>();

  private record Word(Digest said, Moment when) {
    boolean isOld(Moment now, long maxNanos) {
      return now.nanos() - when.nanos() >= maxNanos
          || now.wallMillis() - when.wallMillis() >= NANOSECONDS.toMillis(maxNanos);
    }
  }

  /** Takes a server's word; those who say the same. */
  ServerSet hear(ServerId from, Digest said, Moment now, long maxNanos) {
    words.values().removeIf(word -> word.isOld(now, maxNanos));
    @Nullable Word unused = words.put(from, new Word(said, now));
    ServerSet same = ServerSet.none();
    for (Map.Entry<ServerId, Word> word : words.entrySet()) {
      same = word.getValue().said().equals(said) ? same.with(word.getKey()) : same;
    }
    return same;
  }
}
