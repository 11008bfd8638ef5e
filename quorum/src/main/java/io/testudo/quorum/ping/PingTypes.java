package io.testudo.quorum.ping;

import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;
import static io.testudo.quorum.wire.Field.uint64s;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** The ping's messages and records on the wire and on disk. Numbers are permanent. */
public final class PingTypes {
  /** 64 varints of up to ten bytes, and a little more. */
  private static final int MAX_MESSAGE_BYTES = 768;

  /** With the leaps, two varints and their frame each. */
  private static final int MAX_PONG_BYTES = MAX_MESSAGE_BYTES + Pong.MAX_LEAPS * 24;

  private static final int MAX_RECORD_BYTES = 32;

  private static final Schema<Leap> LEAP =
      Schema.of(uint64(1, Leap::from), uint64(2, Leap::to), Leap::new);

  public static final WireType<Ping> PING =
      WireType.of(
          1,
          Ping.class,
          MAX_MESSAGE_BYTES,
          Schema.of(
              fixed64(1, Ping::nonce),
              uint64s(2, it -> it.known().byServer(), Incarnations::new),
              Ping::new));

  public static final WireType<Pong> PONG =
      WireType.of(
          2,
          Pong.class,
          MAX_PONG_BYTES,
          Schema.of(
              fixed64(1, Pong::nonce),
              uint32(2, it -> it.server().index(), ServerId::new),
              uint64(3, Pong::incarnation),
              uint64(5, Pong::quietMillis),
              repeated(6, Pong::leaps, LEAP),
              uint64s(4, it -> it.witnessed().byServer(), Incarnations::new),
              Pong::new));

  public static final WireType<Incarnated> INCARNATED =
      WireType.of(
          3,
          Incarnated.class,
          MAX_RECORD_BYTES,
          Schema.of(
              uint64(1, Incarnated::incarnation),
              uint64(2, Incarnated::leaptFrom),
              Incarnated::new));

  public static final WireType<Witnessed> WITNESSED =
      WireType.of(
          4,
          Witnessed.class,
          MAX_RECORD_BYTES,
          Schema.of(
              uint32(1, it -> it.server().index(), ServerId::new),
              uint64(2, Witnessed::incarnation),
              Witnessed::new));

  public static final WireType<Pardon> PARDON =
      WireType.of(
          5,
          Pardon.class,
          MAX_RECORD_BYTES,
          Schema.of(
              fixed64(1, Pardon::nonce),
              uint32(2, it -> it.server().index(), ServerId::new),
              Pardon::new));

  public static final WireTypes ALL = WireTypes.of(PING, PONG, INCARNATED, WITNESSED, PARDON);

  private PingTypes() {}
}
