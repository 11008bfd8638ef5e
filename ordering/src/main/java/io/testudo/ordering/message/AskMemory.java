package io.testudo.ordering.message;

import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;
import java.util.List;

/**
 * Client to server: take note that memories of others began anew, for every object, also such that
 * you hear of later; and which names do you know?
 *
 * @param lost what to take note of
 * @param after only names behind this one; empty for the first page
 */
public record AskMemory(long nonce, List<MemoryEpoch> lost, String after)
    implements Message, Guarded {
  public AskMemory {
    lost = List.copyOf(lost);
    ObjectList.checkName(after);
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
