package io.testudo.mutex.dht.wire;

import static com.google.common.base.Preconditions.checkArgument;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.wire.Field;
import io.testudo.quorum.wire.Schema;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Stream;

/** What several messages of a ring have in them, each with what it may be at most. */
final class CommonParts {
  /** Requests in one message: what hops and a replica have waiting, or a holder's queue. */
  static final int MAX_REQUESTS = 16_384;

  /** Nodes in one message: all that one member knows. */
  static final int MAX_NODES = 512;

  /** Numbers of ten bytes with their tags, and flags. */
  static final int NUMBERS_BYTES = 256;

  static final int NAMED_BYTES = LockNames.MAX_BYTES + NUMBERS_BYTES;
  static final int NODES_BYTES = MAX_NODES * 12 + NUMBERS_BYTES;
  static final int QUEUE_BYTES = MAX_REQUESTS * 56 + NAMED_BYTES;

  static final Schema<NodeId> NODE = Schema.of(fixed64(1, NodeId::bits), NodeId::new);

  static final Schema<GrantId> STATE =
      Schema.of(fixed64(1, GrantId::incarnation), uint64(2, GrantId::number), GrantId::new);

  static final Schema<ReplicaName> REPLICA =
      Schema.of(
          string(1, ReplicaName::lock, LockNames::check),
          uint32(2, ReplicaName::index, CommonParts::checkIndex),
          ReplicaName::new);

  static final Schema<RequestId> REQUEST =
      Schema.of(
          uint64(1, RequestId::time).as(CommonParts::checkTime),
          fixed64(2, (RequestId it) -> it.client().bits()).as(NodeId::new),
          RequestId::new);

  static final Schema<WaitingRequest> WAITING =
      Schema.of(
          message(1, WaitingRequest::id, REQUEST),
          uint64(2, WaitingRequest::leaseNanos).as(CommonParts::checkNumber),
          uint64(3, WaitingRequest::attempt).as(CommonParts::checkNumber),
          WaitingRequest::new);

  private CommonParts() {}

  /** Of a logical replica. */
  static int checkIndex(int index) {
    checkArgument(index >= 0 && index < ServerId.MAX_SERVERS, "no replica is number %s", index);
    return index;
  }

  /** Of what is counted, or measured in nanoseconds. */
  static long checkNumber(long number) {
    checkArgument(number >= 0, "the number %s is beyond all that are given", number);
    return number;
  }

  private static long checkTime(long time) {
    RankClock.check(time);
    return time;
  }

  static <T> Field<T, ImmutableList<NodeId>> nodes(
      int number, Function<T, ? extends Collection<NodeId>> get) {
    return repeated(number, get, NODE).as(all -> atMost(MAX_NODES, all));
  }

  static <T> Field<T, ImmutableList<WaitingRequest>> requests(
      int number, Function<T, ? extends Collection<WaitingRequest>> get) {
    return repeated(number, get, WAITING).as(all -> atMost(MAX_REQUESTS, all));
  }

  static <E> ImmutableList<E> atMost(int most, ImmutableList<E> all) {
    checkArgument(all.size() <= most, "%s are more than %s", all.size(), most);
    return all;
  }

  static Stream<NodeId> nobody(Object any) {
    return Stream.empty();
  }

  static Stream<NodeId> clients(Collection<WaitingRequest> waiting) {
    return waiting.stream().map(request -> request.id().client());
  }
}
