package io.testudo.ordering.message;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: tell me once which objects whose names start so have changed, as soon as there
 * are some behind what you told me last. It takes the place of what the same client asked for the
 * same prefix before, and is forgotten after a while.
 *
 * @param after up to where this server has told of changes, in its own numbers; 0 if it has not
 */
public record WatchPrefix(String prefix, long after) implements Message, Guarded {
  public WatchPrefix {
    ObjectList.checkName(prefix);
  }

  @Override
  public Right right() {
    return Right.READ;
  }

  @Override
  public String name() {
    return prefix;
  }
}
