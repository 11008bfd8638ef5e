package io.testudo.mutex.dht.wire;

import static io.testudo.mutex.dht.wire.CommonParts.NAMED_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.NODE;
import static io.testudo.mutex.dht.wire.CommonParts.REPLICA;
import static io.testudo.mutex.dht.wire.CommonParts.REQUEST;
import static io.testudo.mutex.dht.wire.CommonParts.STATE;
import static io.testudo.mutex.dht.wire.CommonParts.WAITING;
import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.optional;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteYield;
import io.testudo.quorum.wire.Schema;
import java.util.stream.Stream;

/** Votes, of which E2E, Non-E2E and zone voting make use, on the wire. Numbers are permanent. */
final class VoteTypes {
  static final Schema<VoteReply> REPLY =
      Schema.of(
          message(1, VoteReply::replica, REPLICA),
          message(2, VoteReply::to, REQUEST),
          optional(3, VoteReply::owner, REQUEST),
          optional(4, VoteReply::holder, NODE),
          message(5, VoteReply::state, STATE),
          uint64(6, VoteReply::echo).as(CommonParts::checkNumber),
          uint64(7, VoteReply::leased).as(CommonParts::checkNumber),
          uint64(8, VoteReply::waitedNanos).as(CommonParts::checkNumber),
          VoteReply::new);

  static final ImmutableList<RingKind<?>> ALL =
      ImmutableList.of(
          RingKind.ofContenders(
              136,
              VoteRequest.class,
              NAMED_BYTES,
              Schema.of(
                  message(1, VoteRequest::replica, REPLICA),
                  message(2, VoteRequest::waiter, WAITING),
                  bool(3, VoteRequest::isFirst),
                  VoteRequest::new),
              request -> request.replica().lock(),
              request -> Stream.of(request.waiter().id().client())),
          RingKind.ofMembers(137, VoteReply.class, NAMED_BYTES, REPLY, VoteTypes::nodesOf),
          RingKind.ofContenders(
              138,
              VoteYield.class,
              NAMED_BYTES,
              Schema.of(
                  message(1, VoteYield::replica, REPLICA),
                  message(2, VoteYield::waiter, WAITING),
                  message(3, VoteYield::grant, STATE),
                  bool(4, VoteYield::waits),
                  VoteYield::new),
              yield -> yield.replica().lock(),
              yield -> Stream.of(yield.waiter().id().client())));

  private VoteTypes() {}

  /** The receiver asks the holder, or who has won the vote. */
  static Stream<NodeId> nodesOf(VoteReply reply) {
    return Stream.of(
            Stream.of(reply.to().client()),
            reply.owner().map(RequestId::client).stream(),
            reply.holder().stream())
        .flatMap(nodes -> nodes);
  }
}
