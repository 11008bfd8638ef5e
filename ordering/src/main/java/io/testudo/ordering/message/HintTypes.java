package io.testudo.ordering.message;

import static io.testudo.ordering.message.Parts.ITEM;
import static io.testudo.ordering.message.Parts.name;
import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint64;

import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** What servers tell of changes, and how they are asked for it. */
final class HintTypes {
  private static final int SMALL_BYTES = 2_048;

  static final WireTypes ALL =
      WireTypes.of(
          WireType.of(
              86,
              WatchObject.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, WatchObject::object), uint64(2, WatchObject::known), WatchObject::new)),
          WireType.of(
              87,
              Changed.class,
              SMALL_BYTES,
              Schema.of(name(1, Changed::object), uint64(2, Changed::version), Changed::new)),
          WireType.of(
              90,
              WatchPrefix.class,
              SMALL_BYTES,
              Schema.of(
                  string(1, WatchPrefix::prefix), uint64(2, WatchPrefix::after), WatchPrefix::new)),
          WireType.of(
              91,
              PrefixChanges.class,
              (ObjectList.MAX_OBJECTS + 1) * SMALL_BYTES,
              Schema.of(
                  string(1, PrefixChanges::prefix),
                  uint64(2, PrefixChanges::upTo),
                  bool(3, PrefixChanges::hasGap),
                  repeated(4, PrefixChanges::objects, ITEM),
                  PrefixChanges::new)));

  private HintTypes() {}
}
