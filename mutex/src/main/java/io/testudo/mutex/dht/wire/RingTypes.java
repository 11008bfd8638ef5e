package io.testudo.mutex.dht.wire;

import static io.testudo.mutex.dht.wire.CommonParts.NUMBERS_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.QUEUE_BYTES;
import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.inline;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.dht.overlay.Acquaintances;
import io.testudo.mutex.dht.overlay.Hop;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.zone.ZoneVote;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.util.Objects;

/**
 * All that is said in a ring. On the wire there are only letters; what is in a letter has a number
 * of its own. A new mutex adds a line to {@link #INSIDE_HOPS}.
 */
public final class RingTypes {
  /** Addresses in one letter. The nodes of a longer queue have to be asked for in another way. */
  static final int MAX_ADDRESSES = 1_024;

  private static final int ADDRESS_BYTES = Endpoint.MAX_HOST_LENGTH + 32;

  /** What may be on its way to a key, or said directly. */
  private static final ImmutableList<RingKind<?>> INSIDE_HOPS =
      ImmutableList.<RingKind<?>>builder()
          .addAll(OverlayTypes.ALL)
          .addAll(LogicalReplicaTypes.ALL)
          .addAll(VoteTypes.ALL)
          .addAll(E2eTypes.ALL)
          .addAll(PartialTypes.ALL)
          .addAll(ZoneTypes.ALL)
          .build();

  private static final WireTypes HOP_TYPES = types(INSIDE_HOPS);

  static final WireType<Hop> HOP =
      WireType.of(
          112,
          Hop.class,
          QUEUE_BYTES + NUMBERS_BYTES,
          Schema.of(
              uint64(1, Hop::number),
              bool(2, Hop::isFromMember),
              fixed64(3, Hop::key),
              uint32(4, Hop::travelled, hops -> (int) CommonParts.checkNumber(hops)),
              message(5, Hop::payload, HOP_TYPES.inside()),
              Hop::new));

  /** What a member could gain by saying it in the name of another. */
  private static final ImmutableSet<Class<?>> FIRST_HAND =
      ImmutableSet.of(Acquaintances.class, ZoneVote.class);

  private static final ImmutableMap<Class<?>, RingKind<?>> KINDS = kinds();

  /** Without letters: a letter holds no other. */
  public static final WireTypes PAYLOADS = HOP_TYPES.and(WireTypes.of(HOP));

  private static final Schema<Endpoint> ENDPOINT =
      Schema.of(string(2, Endpoint::host), uint32(3, Endpoint::port), Endpoint::new);

  private static final Schema<NodeAddress> ADDRESS =
      Schema.of(
          fixed64(1, (NodeAddress it) -> it.node().bits()).as(NodeId::new),
          inline(NodeAddress::at, ENDPOINT),
          NodeAddress::new);

  public static final WireType<RingLetter> LETTER =
      WireType.of(
          123,
          RingLetter.class,
          QUEUE_BYTES + 2 * NUMBERS_BYTES + MAX_ADDRESSES * ADDRESS_BYTES,
          Schema.of(
              fixed64(1, (RingLetter it) -> it.to().bits()).as(NodeId::new),
              fixed64(2, (RingLetter it) -> it.from().bits()).as(NodeId::new),
              repeated(3, RingLetter::addresses, ADDRESS)
                  .as(all -> CommonParts.atMost(MAX_ADDRESSES, all)),
              message(4, RingLetter::payload, PAYLOADS.inside()),
              RingLetter::new));

  /** What connections carry. */
  public static final WireTypes ALL = WireTypes.of(LETTER);

  private RingTypes() {}

  private static WireTypes types(ImmutableList<RingKind<?>> kinds) {
    return WireTypes.of(
        kinds.stream().<WireType<?>>map(RingKind::type).collect(ImmutableList.toImmutableList()));
  }

  private static ImmutableMap<Class<?>, RingKind<?>> kinds() {
    ImmutableMap.Builder<Class<?>, RingKind<?>> kinds = ImmutableMap.builder();
    INSIDE_HOPS.forEach(kind -> kinds.put(kind.type().type(), kind));
    return kinds
        .put(
            Hop.class,
            new RingKind<>(HOP, RingTypes::needOf, hop -> nodesIn(hop.payload()).stream()))
        .buildOrThrow();
  }

  private static RingKind<?> kindOf(Message payload) {
    return Objects.requireNonNull(
        KINDS.get(payload.getClass()), () -> payload.getClass() + " is not said in a ring");
  }

  /** Who enters through a member says what it may say itself; who hands on must be a member. */
  private static SpeakersNeed needOf(Hop hop) {
    return hop.isFromMember() ? SpeakersNeed.MEMBER : needOf(hop.payload());
  }

  /** Whether it counts only over a connection on which its speaker has shown who it is. */
  public static boolean isFirstHand(Message payload) {
    return FIRST_HAND.contains(payload.getClass());
  }

  /** Whether only members may say it: who was let through with it has shown that it is one. */
  public static boolean isOfMembers(Message payload) {
    return needOf(payload).equals(SpeakersNeed.MEMBER);
  }

  static SpeakersNeed needOf(Message payload) {
    return kindOf(payload).needOf(payload);
  }

  /** The nodes that a message speaks of, as many as a letter has room for. */
  public static ImmutableSet<NodeId> nodesIn(Message payload) {
    return kindOf(payload)
        .nodesOf(payload)
        .limit(MAX_ADDRESSES - 1L)
        .collect(ImmutableSet.toImmutableSet());
  }
}
