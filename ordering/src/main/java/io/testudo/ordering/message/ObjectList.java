package io.testudo.ordering.message;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Utf8;
import io.testudo.ordering.ObjectLimits;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.stream.Stream;

/**
 * Server to client: these objects are here, by name.
 *
 * @param more whether there are others behind them
 */
public record ObjectList(long nonce, List<Item> objects, boolean more) implements Message {
  /** The most objects of one answer. */
  public static final int MAX_OBJECTS = 128;

  /**
   * One object.
   *
   * @param version the newest that is kept here, which may not be chosen yet; or the last that is
   *     committed, if those were asked for
   * @param type the number of its type, as its bytes say; 0 if that is not known
   * @param bytes what is kept of it
   * @param isAbsent whether it was deleted
   */
  public record Item(String object, long version, int type, long bytes, boolean isAbsent) {
    public Item {
      checkArgument(type >= 0, "no type has the number %s", type);
    }

    /** One of which no more is known. */
    public Item(String object, long version) {
      this(object, version, 0, 0, false);
    }
  }

  public ObjectList {
    objects = List.copyOf(objects);
    checkArgument(objects.size() <= MAX_OBJECTS, "an answer has at most %s objects", MAX_OBJECTS);
  }

  /** Throws if nothing that is asked for can begin like that. */
  static void checkName(String name) {
    checkArgument(
        Utf8.encodedLength(name) <= ObjectLimits.MAX_NAME_BYTES,
        "the name of an object is too long");
  }

  /** As many as fit, of objects that come in the order of their names. */
  public static ObjectList page(long nonce, Stream<Item> byName) {
    List<Item> items = byName.limit(MAX_OBJECTS + 1L).toList();
    boolean more = items.size() > MAX_OBJECTS;
    return new ObjectList(nonce, more ? items.subList(0, MAX_OBJECTS) : items, more);
  }
}
