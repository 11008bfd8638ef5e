package io.testudo.mutex.dht.wire;

import static com.google.common.base.Preconditions.checkArgument;
import static io.testudo.mutex.dht.wire.CommonParts.NAMED_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.NODES_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.NUMBERS_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.REQUEST;
import static io.testudo.mutex.dht.wire.CommonParts.STATE;
import static io.testudo.mutex.dht.wire.CommonParts.WAITING;
import static io.testudo.mutex.dht.wire.CommonParts.nodes;
import static io.testudo.quorum.wire.Field.bytes;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Zone;
import io.testudo.mutex.dht.zone.MemberCertificate;
import io.testudo.mutex.dht.zone.MemberCertificates;
import io.testudo.mutex.dht.zone.ZoneClaim;
import io.testudo.mutex.dht.zone.ZoneRelease;
import io.testudo.mutex.dht.zone.ZoneRequest;
import io.testudo.mutex.dht.zone.ZoneVote;
import io.testudo.mutex.dht.zone.ZoneYield;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.wire.Schema;
import java.util.stream.Stream;

/** Zone voting on the wire. Numbers are permanent. */
final class ZoneTypes {
  static final int MAX_PROOF_BYTES = MemberCertificates.MAX_PROOF_BYTES;

  private static final Schema<MemberCertificate> CERTIFICATE =
      Schema.of(
          fixed64(1, (MemberCertificate it) -> it.id().bits()).as(NodeId::new),
          bytes(2, MemberCertificate::proof).as(ZoneTypes::checkProof),
          MemberCertificate::new);

  private static final Schema<Zone> ZONE =
      Schema.of(fixed64(1, Zone::first), fixed64(2, Zone::last), Zone::new);

  private static final Schema<ZoneClaim> CLAIM =
      Schema.of(
          message(1, ZoneClaim::own, CERTIFICATE),
          message(2, ZoneClaim::below, CERTIFICATE),
          message(3, ZoneClaim::above, CERTIFICATE),
          message(4, ZoneClaim::voting, ZONE),
          uint64(5, ZoneClaim::version).as(CommonParts::checkNumber),
          ZoneClaim::new);

  private static final int CLAIM_BYTES = 3 * MAX_PROOF_BYTES + NUMBERS_BYTES;

  static final ImmutableList<RingKind<?>> ALL =
      ImmutableList.of(
          RingKind.ofContenders(
              168,
              ZoneRequest.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, ZoneRequest::lock, LockNames::check),
                  message(2, ZoneRequest::waiter, WAITING),
                  ZoneRequest::new),
              ZoneRequest::lock,
              request -> Stream.of(request.waiter().id().client())),
          RingKind.ofMembers(
              169,
              ZoneVote.class,
              NAMED_BYTES + CLAIM_BYTES + NODES_BYTES,
              Schema.of(
                  message(1, ZoneVote::reply, VoteTypes.REPLY),
                  message(2, ZoneVote::claim, CLAIM),
                  nodes(3, ZoneVote::nearby),
                  ZoneVote::new),
              ZoneTypes::nodesOf),
          RingKind.ofContenders(
              170,
              ZoneYield.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, ZoneYield::lock, LockNames::check),
                  message(2, ZoneYield::waiter, WAITING),
                  message(3, ZoneYield::grant, STATE),
                  ZoneYield::new),
              ZoneYield::lock,
              yield -> Stream.of(yield.waiter().id().client())),
          RingKind.ofContenders(
              171,
              ZoneRelease.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, ZoneRelease::lock, LockNames::check),
                  message(2, ZoneRelease::id, REQUEST),
                  ZoneRelease::new),
              ZoneRelease::lock,
              release -> Stream.of(release.id().client())));

  private ZoneTypes() {}

  private static Bytes checkProof(Bytes proof) {
    checkArgument(proof.size() <= MAX_PROOF_BYTES, "a proof of %s bytes is too long", proof.size());
    return proof;
  }

  private static Stream<NodeId> nodesOf(ZoneVote vote) {
    ZoneClaim claim = vote.claim();
    return Stream.of(
            VoteTypes.nodesOf(vote.reply()),
            Stream.of(claim.own().id(), claim.below().id(), claim.above().id()),
            vote.nearby().stream())
        .flatMap(nodes -> nodes);
  }
}
