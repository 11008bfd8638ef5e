package io.testudo.ordering.message;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.quorum.protocol.Message;
import java.util.List;

/**
 * Server to client: so my memory is, and these names are in it.
 *
 * @param epoch of my memory
 * @param isComplete whether I know which objects are new
 * @param doubtful how many objects I may have forgotten, as far as I was told of them
 * @param lost the epochs in which the memories of others began anew, for every object
 * @param names in order, also those of which nothing is kept but a rank
 * @param more whether there are others behind them
 */
public record MemoryPage(
    long nonce,
    long epoch,
    boolean isComplete,
    int doubtful,
    List<MemoryEpoch> lost,
    List<Name> names,
    boolean more)
    implements Message {
  /** The most names of one page. */
  public static final int MAX_NAMES = ObjectList.MAX_OBJECTS;

  /**
   * One object.
   *
   * @param isDoubtful whether I may have known more of it once than I do now
   */
  public record Name(String object, boolean isDoubtful) {}

  public MemoryPage {
    lost = List.copyOf(lost);
    names = List.copyOf(names);
    MemoryEpoch.check(epoch);
    checkArgument(doubtful >= 0, "%s names are too few", doubtful);
    checkArgument(names.size() <= MAX_NAMES, "a page has at most %s names", MAX_NAMES);
  }
}
