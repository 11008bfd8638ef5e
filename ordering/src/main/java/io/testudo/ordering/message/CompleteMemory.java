package io.testudo.ordering.message;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;
import java.util.Collection;
import java.util.List;

/**
 * Client to server: so many others have taken note of your loss for every object that whoever still
 * counts what you said before hears of it, and these are all names that they knew of then. You may
 * have forgotten something of these; every other object is new.
 *
 * @param epoch of the memory that this is for; in another one it is not for you
 * @param lost what those others know of servers that had lost their memory, too
 */
public record CompleteMemory(
    long nonce, long epoch, List<MemoryEpoch> lost, ImmutableSortedSet<String> names)
    implements Message, Guarded {
  /** As many objects have room at a server; one principal alone may make half of them. */
  public static final int MAX_OBJECTS = 10_000;

  /** Beside them, as many that were deleted. Their names must never be taken for new ones. */
  public static final int MAX_TOMBSTONES = 10_000;

  /** More names have no room; as many as two servers may have. */
  public static final int MAX_NAMES = 2 * (MAX_OBJECTS + MAX_TOMBSTONES);

  private static final int MAX_BYTES = 3 << 20;
  private static final int OVERHEAD_BYTES = 4;

  public CompleteMemory {
    lost = List.copyOf(lost);
    MemoryEpoch.check(epoch);
    checkNames(names);
  }

  static void checkNames(Collection<String> names) {
    checkArgument(hasRoom(names), "%s names are too many", names.size());
  }

  /** Whether so many and so long names fit into a message, and into a record. */
  public static boolean hasRoom(Collection<String> names) {
    return names.size() <= MAX_NAMES
        && names.stream().mapToLong(it -> Utf8.encodedLength(it) + OVERHEAD_BYTES).sum()
            <= MAX_BYTES;
  }

  @Override
  public Right right() {
    return Right.ADMINISTER;
  }

  @Override
  public String name() {
    return "";
  }
}
