package io.testudo.quorum.cluster;

import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;

import io.testudo.quorum.Right;
import io.testudo.quorum.wire.Schema;
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
              Schema.of(
                  uint32(1, it -> it.right().number(), Right::ofNumber),
                  string(2, NoRight::name),
                  bool(3, NoRight::sealsOtherwise),
                  NoRight::new)));

  private GatewayTypes() {}
}
