package io.testudo.quorum.ping;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.proto.IncarnatedRecord;
import io.testudo.quorum.ping.proto.LeapPart;
import io.testudo.quorum.ping.proto.PardonMessage;
import io.testudo.quorum.ping.proto.PingMessage;
import io.testudo.quorum.ping.proto.PongMessage;
import io.testudo.quorum.ping.proto.WitnessedRecord;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** The ping's messages and records on the wire and on disk. Numbers are permanent. */
public final class PingTypes {
  /** 64 varints of up to ten bytes, and a little more. */
  private static final int MAX_MESSAGE_BYTES = 768;

  /** With the leaps, two varints and their frame each. */
  private static final int MAX_PONG_BYTES = MAX_MESSAGE_BYTES + Pong.MAX_LEAPS * 24;

  private static final int MAX_RECORD_BYTES = 32;

  public static final WireType<Ping> PING =
      WireType.of(
          1,
          Ping.class,
          MAX_MESSAGE_BYTES,
          PingTypes::toProto,
          PingMessage.parser(),
          proto ->
              new Ping(proto.getNonce(), Incarnations.of(proto.getKnownCount(), proto::getKnown)));

  public static final WireType<Pong> PONG =
      WireType.of(
          2,
          Pong.class,
          MAX_PONG_BYTES,
          PingTypes::toProto,
          PongMessage.parser(),
          proto ->
              new Pong(
                  proto.getNonce(),
                  new ServerId(proto.getServer()),
                  proto.getIncarnation(),
                  proto.getQuietMillis(),
                  proto.getLeapsList().stream()
                      .map(leap -> new Leap(leap.getFrom(), leap.getTo()))
                      .collect(ImmutableList.toImmutableList()),
                  Incarnations.of(proto.getWitnessedCount(), proto::getWitnessed)));

  public static final WireType<Incarnated> INCARNATED =
      WireType.of(
          3,
          Incarnated.class,
          MAX_RECORD_BYTES,
          it ->
              IncarnatedRecord.newBuilder()
                  .setIncarnation(it.incarnation())
                  .setLeaptFrom(it.leaptFrom())
                  .build(),
          IncarnatedRecord.parser(),
          proto -> new Incarnated(proto.getIncarnation(), proto.getLeaptFrom()));

  public static final WireType<Witnessed> WITNESSED =
      WireType.of(
          4,
          Witnessed.class,
          MAX_RECORD_BYTES,
          it ->
              WitnessedRecord.newBuilder()
                  .setServer(it.server().index())
                  .setIncarnation(it.incarnation())
                  .build(),
          WitnessedRecord.parser(),
          proto -> new Witnessed(new ServerId(proto.getServer()), proto.getIncarnation()));

  public static final WireType<Pardon> PARDON =
      WireType.of(
          5,
          Pardon.class,
          MAX_RECORD_BYTES,
          it ->
              PardonMessage.newBuilder()
                  .setNonce(it.nonce())
                  .setServer(it.server().index())
                  .build(),
          PardonMessage.parser(),
          proto -> new Pardon(proto.getNonce(), new ServerId(proto.getServer())));

  public static final WireTypes ALL = WireTypes.of(PING, PONG, INCARNATED, WITNESSED, PARDON);

  private PingTypes() {}

  private static PingMessage toProto(Ping ping) {
    PingMessage.Builder proto = PingMessage.newBuilder().setNonce(ping.nonce());
    ping.known().forEach(proto::addKnown);
    return proto.build();
  }

  private static PongMessage toProto(Pong pong) {
    PongMessage.Builder proto =
        PongMessage.newBuilder()
            .setNonce(pong.nonce())
            .setServer(pong.server().index())
            .setIncarnation(pong.incarnation())
            .setQuietMillis(pong.quietMillis());
    pong.witnessed().forEach(proto::addWitnessed);
    for (Leap leap : pong.leaps()) {
      proto.addLeaps(LeapPart.newBuilder().setFrom(leap.from()).setTo(leap.to()));
    }
    return proto.build();
  }
}
