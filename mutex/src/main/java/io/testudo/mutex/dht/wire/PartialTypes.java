package io.testudo.mutex.dht.wire;

import static io.testudo.mutex.dht.wire.CommonParts.NAMED_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.QUEUE_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.REPLICA;
import static io.testudo.mutex.dht.wire.CommonParts.REQUEST;
import static io.testudo.mutex.dht.wire.CommonParts.STATE;
import static io.testudo.mutex.dht.wire.CommonParts.WAITING;
import static io.testudo.mutex.dht.wire.CommonParts.requests;
import static io.testudo.quorum.wire.Field.message;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.partial.HeldBack;
import io.testudo.mutex.dht.partial.PathFlush;
import io.testudo.mutex.dht.partial.PathRelease;
import io.testudo.mutex.dht.partial.PathYield;
import io.testudo.quorum.wire.Schema;
import java.util.stream.Stream;

/** The non end-to-end mutex on the wire. Numbers are permanent. */
final class PartialTypes {
  static final ImmutableList<RingKind<?>> ALL =
      ImmutableList.of(
          RingKind.ofMembers(
              160,
              HeldBack.class,
              NAMED_BYTES,
              Schema.of(
                  message(1, HeldBack::replica, REPLICA),
                  message(2, HeldBack::to, REQUEST),
                  message(3, HeldBack::behind, REQUEST),
                  HeldBack::new),
              held -> Stream.of(held.to().client(), held.behind().client())),
          RingKind.ofContenders(
              161,
              PathRelease.class,
              QUEUE_BYTES,
              Schema.of(
                  message(1, PathRelease::replica, REPLICA),
                  message(2, PathRelease::id, REQUEST),
                  requests(3, PathRelease::collected),
                  PathRelease::new),
              release -> release.replica().lock(),
              release ->
                  Stream.concat(
                      Stream.of(release.id().client()), CommonParts.clients(release.collected()))),
          RingKind.ofContenders(
              162,
              PathYield.class,
              QUEUE_BYTES,
              Schema.of(
                  message(1, PathYield::replica, REPLICA),
                  message(2, PathYield::waiter, WAITING),
                  message(3, PathYield::grant, STATE),
                  requests(4, PathYield::collected),
                  PathYield::new),
              yield -> yield.replica().lock(),
              yield ->
                  Stream.concat(
                      Stream.of(yield.waiter().id().client()),
                      CommonParts.clients(yield.collected()))),
          RingKind.ofMembers(
              163,
              PathFlush.class,
              QUEUE_BYTES,
              Schema.of(
                  message(1, PathFlush::replica, REPLICA),
                  requests(2, PathFlush::waiting),
                  PathFlush::new),
              flush -> CommonParts.clients(flush.waiting())));

  private PartialTypes() {}
}
