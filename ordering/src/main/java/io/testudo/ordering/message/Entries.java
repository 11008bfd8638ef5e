package io.testudo.ordering.message;

import io.testudo.ordering.log.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How many entries go into one message. */
public final class Entries {
  /** The most bytes, so that a message of them is within its limit. */
  static final int MAX_BYTES = Entry.MAX_BODY_BYTES;

  /** What an entry adds to its body on the wire, and more. */
  private static final int FRAME_BYTES = 64;

  /** As many bytes go along with something else. */
  public static final int MAX_BYTES_BESIDE = 1 << 20;

  private Entries() {}

  /** What they take in memory. */
  public static long bytesOf(List<Entry> entries) {
    return entries.stream().mapToLong(entry -> Entry.ROW_BYTES + entry.body().size()).sum();
  }

  /** These entries, if there are any and they go along with something else in one message. */
  public static List<Entry> ifShort(Optional<List<Entry>> entries) {
    List<Entry> some = entries.orElse(List.of());
    long bytes = some.stream().mapToLong(entry -> entry.body().size() + (long) FRAME_BYTES).sum();
    return some.size() <= Propose.MAX_ENTRIES && bytes <= MAX_BYTES_BESIDE ? some : List.of();
  }

  /** Chunks that fit into messages, at least one. */
  public static List<List<Entry>> chunks(List<Entry> entries) {
    return chunks(entries, MAX_BYTES);
  }

  /**
   * Chunks that fit into messages, at least one.
   *
   * @param firstRoom how many bytes the first one may have
   */
  public static List<List<Entry>> chunks(List<Entry> entries, int firstRoom) {
    List<List<Entry>> chunks = new ArrayList<>();
    List<Entry> chunk = new ArrayList<>();
    long room = firstRoom;
    for (Entry entry : entries) {
      long bytes = entry.body().size() + (long) FRAME_BYTES;
      boolean isFull = bytes > room || chunk.size() == Propose.MAX_ENTRIES;
      // One entry fits into any message that carries nothing else of length.
      if (isFull && (!chunk.isEmpty() || (chunks.isEmpty() && firstRoom < MAX_BYTES))) {
        chunks.add(chunk);
        chunk = new ArrayList<>();
        room = MAX_BYTES;
      }
      chunk.add(entry);
      room -= bytes;
    }
    chunks.add(chunk);
    return chunks;
  }
}
