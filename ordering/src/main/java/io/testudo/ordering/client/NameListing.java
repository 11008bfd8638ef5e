package io.testudo.ordering.client;

import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.MemoryPage;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The names that one server lists, page by page, in one memory. */
final class NameListing {
  /** A server that lists more is none of ours: it may have so many objects and doubts. */
  private static final int MAX_NAMES =
      CompleteMemory.MAX_OBJECTS + CompleteMemory.MAX_TOMBSTONES + CompleteMemory.MAX_NAMES;

  /** Of the memory in which it lists them. */
  final long epoch;

  /** With whether the server may have forgotten something of them. */
  final NavigableMap<String, Boolean> names = new TreeMap<>();

  boolean isWhole;

  NameListing(long epoch) {
    this.epoch = epoch;
  }

  /** Behind which name the next page begins. */
  String last() {
    return names.isEmpty() ? "" : names.lastKey();
  }

  /**
   * Takes the next page.
   *
   * @return false if it is of another memory, or none that a correct server sends
   */
  boolean take(MemoryPage page) {
    List<MemoryPage.Name> more = page.names();
    if (page.epoch() != epoch
        || (page.more() && more.isEmpty())
        || names.size() + more.size() > MAX_NAMES) {
      return false;
    }
    for (MemoryPage.Name name : more) {
      if (name.object().compareTo(last()) <= 0) {
        return false;
      }
      names.put(name.object(), name.isDoubtful());
    }
    isWhole = !page.more();
    return true;
  }
}
