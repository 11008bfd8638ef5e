package io.testudo.mutex.dht.wire;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One kind of message of a ring.
 *
 * @param type how it is written
 * @param need who may say it to a member
 * @param nodes of whom it speaks: their addresses travel with it, because its receiver may have to
 *     answer or ask them
 */
record RingKind<T extends Message>(
    WireType<T> type, Function<T, SpeakersNeed> need, Function<T, Stream<NodeId>> nodes) {

  /** What only members say. */
  static <T extends Message> RingKind<T> ofMembers(
      int number,
      Class<T> type,
      int maxBytes,
      Schema<T> schema,
      Function<T, Stream<NodeId>> nodes) {
    return new RingKind<>(
        WireType.of(number, type, maxBytes, schema), any -> SpeakersNeed.MEMBER, nodes);
  }

  /** What those say who may contend for a lock. */
  static <T extends Message> RingKind<T> ofContenders(
      int number,
      Class<T> type,
      int maxBytes,
      Schema<T> schema,
      Function<T, String> lock,
      Function<T, Stream<NodeId>> nodes) {
    return new RingKind<>(
        WireType.of(number, type, maxBytes, schema),
        message -> SpeakersNeed.lock(lock.apply(message)),
        nodes);
  }

  SpeakersNeed needOf(Message message) {
    return need.apply(type.type().cast(message));
  }

  Stream<NodeId> nodesOf(Message message) {
    return nodes.apply(type.type().cast(message));
  }
}
