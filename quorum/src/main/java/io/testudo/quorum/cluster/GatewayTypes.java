package io.testudo.quorum.cluster;

import io.testudo.quorum.cluster.proto.NoRightMessage;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** What gateways say by themselves; every client and server speaks it. Numbers are permanent. */
public final class GatewayTypes {
  /** A character has at most three bytes; those that need four count twice. */
  private static final int MAX_BYTES = 3 * NoRight.MAX_NAME_LENGTH + 16;

  public static final WireTypes ALL =
      WireTypes.of(
          WireType.of(
              104,
              NoRight.class,
              MAX_BYTES,
              it ->
                  NoRightMessage.newBuilder()
                      .setRight(it.right().number())
                      .setName(it.name())
                      .build(),
              NoRightMessage.parser(),
              it -> new NoRight(Right.ofNumber(it.getRight()), it.getName())));

  private GatewayTypes() {}
}
