package io.testudo.mutex.dht.wire;

import static io.testudo.mutex.dht.wire.CommonParts.NODE;
import static io.testudo.mutex.dht.wire.CommonParts.NODES_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.NUMBERS_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.nodes;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.Acquaintances;
import io.testudo.mutex.dht.overlay.AskMembers;
import io.testudo.mutex.dht.overlay.GapLookup;
import io.testudo.mutex.dht.overlay.Goodbye;
import io.testudo.mutex.dht.overlay.HopReceipt;
import io.testudo.mutex.dht.overlay.JoinRequest;
import io.testudo.mutex.dht.overlay.MemberHello;
import io.testudo.mutex.dht.overlay.Probe;
import io.testudo.mutex.dht.overlay.ProbeReply;
import io.testudo.mutex.dht.overlay.Welcome;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import java.util.stream.Stream;

/** What keeps the overlay in order, on the wire. Numbers are permanent. */
final class OverlayTypes {
  static final ImmutableList<RingKind<?>> ALL =
      ImmutableList.of(
          RingKind.ofMembers(
              113,
              HopReceipt.class,
              NUMBERS_BYTES,
              Schema.of(uint64(1, HopReceipt::number), HopReceipt::new),
              CommonParts::nobody),
          RingKind.ofMembers(
              114,
              JoinRequest.class,
              NUMBERS_BYTES,
              Schema.of(message(1, JoinRequest::joiner, NODE), JoinRequest::new),
              join -> Stream.of(join.joiner())),
          RingKind.ofMembers(
              115,
              Acquaintances.class,
              NODES_BYTES,
              Schema.of(nodes(1, Acquaintances::nodes), Acquaintances::new),
              known -> known.nodes().stream()),
          new RingKind<>(
              WireType.of(116, AskMembers.class, NUMBERS_BYTES, Schema.empty(AskMembers::new)),
              ask -> SpeakersNeed.NONE,
              CommonParts::nobody),
          RingKind.ofMembers(
              117,
              Welcome.class,
              NODES_BYTES,
              Schema.of(nodes(1, Welcome::leaves), Welcome::new),
              welcome -> welcome.leaves().stream()),
          RingKind.ofMembers(
              118,
              MemberHello.class,
              NUMBERS_BYTES,
              Schema.empty(MemberHello::new),
              CommonParts::nobody),
          RingKind.ofMembers(
              119, Goodbye.class, NUMBERS_BYTES, Schema.empty(Goodbye::new), CommonParts::nobody),
          RingKind.ofMembers(
              120, Probe.class, NUMBERS_BYTES, Schema.empty(Probe::new), CommonParts::nobody),
          RingKind.ofMembers(
              121,
              ProbeReply.class,
              NODES_BYTES,
              Schema.of(nodes(1, ProbeReply::leaves), ProbeReply::new),
              reply -> reply.leaves().stream()),
          RingKind.ofMembers(
              122,
              GapLookup.class,
              NUMBERS_BYTES,
              Schema.of(message(1, GapLookup::asker, NODE), GapLookup::new),
              gap -> Stream.of(gap.asker())));

  private OverlayTypes() {}
}
