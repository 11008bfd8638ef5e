package io.testudo.mutex.dht.wire;

import static io.testudo.mutex.dht.wire.CommonParts.NAMED_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.NODE;
import static io.testudo.mutex.dht.wire.CommonParts.NUMBERS_BYTES;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.sigma.FromReplica;
import io.testudo.mutex.dht.sigma.Locate;
import io.testudo.mutex.dht.sigma.Located;
import io.testudo.mutex.dht.sigma.NotHere;
import io.testudo.mutex.dht.sigma.ToReplica;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.sigma.SigmaRequest;
import io.testudo.mutex.sigma.SigmaTypes;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireTypes;
import java.util.stream.Stream;

/** Sigma on logical replicas, on the wire. Numbers are permanent. */
final class LogicalReplicaTypes {
  private static final Schema<Message> REQUESTS =
      WireTypes.of(
              SigmaTypes.REQUEST,
              SigmaTypes.YIELD,
              SigmaTypes.LEAVE,
              SigmaTypes.INQUIRY,
              SigmaTypes.CONFIRM)
          .inside();

  private static final Schema<Message> ANSWERS =
      WireTypes.of(SigmaTypes.RESPONSE, SigmaTypes.CHECK, SigmaTypes.REFUSED).inside();

  /** A message of Sigma inside of another one. */
  private static final int CARRYING_BYTES = 2 * NAMED_BYTES;

  static final ImmutableList<RingKind<?>> ALL =
      ImmutableList.of(
          RingKind.ofContenders(
              128,
              Locate.class,
              NAMED_BYTES,
              Schema.of(
                  message(1, Locate::asker, NODE),
                  string(2, Locate::lock, LockNames::check),
                  uint32(3, Locate::index, CommonParts::checkIndex),
                  Locate::new),
              Locate::lock,
              locate -> Stream.of(locate.asker())),
          RingKind.ofMembers(
              129,
              Located.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, Located::lock, LockNames::check),
                  uint32(2, Located::index, CommonParts::checkIndex),
                  Located::new),
              CommonParts::nobody),
          RingKind.ofContenders(
              130,
              ToReplica.class,
              CARRYING_BYTES,
              Schema.of(
                  message(1, ToReplica::client, NODE),
                  fixed64(2, ToReplica::session),
                  uint32(3, ToReplica::index, CommonParts::checkIndex),
                  message(4, (ToReplica it) -> (Message) it.request(), REQUESTS)
                      .as(request -> (SigmaRequest) request),
                  ToReplica::new),
              letter -> letter.request().lock(),
              letter -> Stream.of(letter.client())),
          RingKind.ofMembers(
              131,
              FromReplica.class,
              CARRYING_BYTES + NUMBERS_BYTES,
              Schema.of(
                  fixed64(1, FromReplica::session),
                  uint32(2, FromReplica::index, CommonParts::checkIndex),
                  message(3, FromReplica::answer, ANSWERS),
                  FromReplica::new),
              CommonParts::nobody),
          RingKind.ofMembers(
              132,
              NotHere.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, NotHere::lock, LockNames::check),
                  uint32(2, NotHere::index, CommonParts::checkIndex),
                  NotHere::new),
              CommonParts::nobody));

  private LogicalReplicaTypes() {}
}
