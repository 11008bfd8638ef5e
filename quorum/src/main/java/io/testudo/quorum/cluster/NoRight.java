package io.testudo.quorum.cluster;

import io.testudo.quorum.Right;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client, instead of an answer: you lack this right to this name. Said by the gateway, on
 * behalf of whatever protocol. From fewer servers than one more than may lie it is hearsay.
 *
 * @param sealsOtherwise whether it is refused, whatever its rights, because of how it is sealed
 */
public record NoRight(Right right, String name, boolean sealsOtherwise) implements Message {
  /** In characters; longer names have no rights and get no answer. */
  public static final int MAX_NAME_LENGTH = Grant.MAX_PREFIX_BYTES;

  /** The sender lacks the right, or its keys are too old for it. */
  public NoRight(Right right, String name) {
    this(right, name, false);
  }
}
