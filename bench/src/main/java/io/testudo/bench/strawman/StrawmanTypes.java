package io.testudo.bench.strawman;

import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;

import io.testudo.mutex.protocol.LockNames;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** The strawman's messages on the wire. Numbers are permanent. */
public final class StrawmanTypes {
  /** Up to five numbers of ten bytes with their tags. */
  private static final int NUMBERS_BYTES = 64;

  private static final int NAMED_BYTES = LockNames.MAX_BYTES + NUMBERS_BYTES;

  public static final WireType<Ask> ASK =
      WireType.of(
          80,
          Ask.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Ask::lock),
              uint64(2, Ask::attempt),
              uint64(3, Ask::number),
              uint64(4, Ask::leaseNanos),
              Ask::new));

  public static final WireType<Drop> DROP =
      WireType.of(
          81,
          Drop.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Drop::lock), uint64(2, Drop::attempt), uint64(3, Drop::fence), Drop::new));

  public static final WireType<Granted> GRANTED =
      WireType.of(
          82,
          Granted.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Granted::lock),
              uint64(2, Granted::attempt),
              uint64(3, Granted::number),
              uint64(4, Granted::fence),
              Granted::new));

  public static final WireType<Rejected> REJECTED =
      WireType.of(
          83,
          Rejected.class,
          NUMBERS_BYTES,
          Schema.of(
              uint64(1, Rejected::attempt),
              uint64(2, Rejected::number),
              uint32(3, it -> it.reason().number(), Rejected.Reason::ofNumber),
              fixed64(4, Rejected::ownerSession),
              uint64(5, Rejected::limit),
              Rejected::new));

  public static final WireTypes ALL = WireTypes.of(ASK, DROP, GRANTED, REJECTED);

  private StrawmanTypes() {}
}
