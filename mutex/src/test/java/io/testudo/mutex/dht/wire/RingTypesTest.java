package io.testudo.mutex.dht.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.dht.overlay.Hop;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Probe;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.dht.zone.MemberCertificate;
import io.testudo.mutex.dht.zone.ZoneClaim;
import io.testudo.mutex.dht.zone.ZoneVote;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RingTypesTest {
  private static final FrameCodec FRAMES = new FrameCodec(RingTypes.ALL, WireLimits.AUTHENTICATED);
  private static final Rights RIGHTS =
      Rights.of(
          List.of(
              Grant.of("member", ImmutableSet.of(Right.LOCK, Right.ADMINISTER), ""),
              Grant.of("alice", ImmutableSet.of(Right.LOCK), "pr"),
              Grant.of("bob", ImmutableSet.of(Right.LOCK), "other")),
          List.of());

  static List<Message> payloads() {
    return RingSamples.payloads();
  }

  private static RingLetter letter(Message payload) {
    return new RingLetter(new NodeId(1), new NodeId(2), ImmutableList.of(), payload);
  }

  private static boolean mayShe(String principal, Message payload) {
    return letter(payload).isAllowed(RIGHTS, principal);
  }

  /** Of nodes that a letter does not introduce, its receiver has no address. */
  @ParameterizedTest
  @MethodSource("payloads")
  void introducesAllNodesThatAMessageSpeaksOf(Message payload) throws Exception {
    Set<NodeId> found = new LinkedHashSet<>();
    find(payload, found);
    assertThat(RingTypes.nodesIn(payload)).containsExactlyInAnyOrderElementsOf(found);
  }

  private static void find(Object in, Set<NodeId> found) throws ReflectiveOperationException {
    if (in instanceof NodeId node) {
      found.add(node);
    } else if (in instanceof Collection<?> all) {
      for (Object one : all) {
        find(one, found);
      }
    } else if (in instanceof Optional<?> maybe) {
      find(maybe.stream().toList(), found);
    } else if (in instanceof Record) {
      for (RecordComponent component : in.getClass().getRecordComponents()) {
        component.getAccessor().setAccessible(true);
        find(component.getAccessor().invoke(in), found);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("payloads")
  void membersMaySayEverythingAndStrangersToALockNothingOfIt(Message payload) {
    assertThat(mayShe("member", payload)).isTrue();
    boolean isHarmless = payload.getClass().getSimpleName().equals("AskMembers");
    assertThat(mayShe("bob", payload)).isEqualTo(isHarmless);
  }

  @Test
  void contendersMayAskForTheirLocksAndNotPlayMembers() {
    VoteRequest request =
        new VoteRequest(
            new ReplicaName("printer", 0),
            new WaitingRequest(new RequestId(5, new NodeId(3)), 1, 1),
            true);
    assertThat(mayShe("alice", request)).isTrue();
    assertThat(mayShe("alice", new Hop(1, false, 5, 0, request))).isTrue();
    assertThat(mayShe("alice", new Hop(1, true, 5, 0, request))).isFalse();
    assertThat(mayShe("alice", new Probe())).isFalse();
  }

  @Test
  void refusesReplicasThatNoLockHas() {
    WaitingRequest waiting = new WaitingRequest(new RequestId(5, new NodeId(3)), 1, 1);
    byte[] frame =
        FRAMES.encode(
            List.of(
                new Envelope(
                    0, letter(new VoteRequest(new ReplicaName("printer", 64), waiting, true)))));
    assertThatExceptionOfType(WireException.class)
        .isThrownBy(() -> FRAMES.decode(frame))
        .withMessageContaining("no replica is number 64");
  }

  @ParameterizedTest
  @CsvSource({"1280, true", "1281, false"})
  void refusesProofsThatAreTooLong(int length, boolean isRead) throws WireException {
    ZoneVote vote = (ZoneVote) Objects.requireNonNull(RingSamples.byName().get("ZoneVote"));
    ZoneClaim claim = vote.claim();
    MemberCertificate own = new MemberCertificate(claim.own().id(), Bytes.wrap(new byte[length]));
    ZoneVote other =
        new ZoneVote(
            vote.reply(),
            new ZoneClaim(own, claim.below(), claim.above(), claim.voting(), 1),
            vote.nearby());
    byte[] frame = FRAMES.encode(List.of(new Envelope(0, letter(other))));
    if (isRead) {
      assertThat(FRAMES.decode(frame).envelopes()).hasSize(1);
    } else {
      assertThatExceptionOfType(WireException.class).isThrownBy(() -> FRAMES.decode(frame));
    }
  }

  @Test
  void refusesAHopInsideOfAHop() {
    // A receiver would read it by recursion, as deep as its sender likes.
    Hop inner = new Hop(1, true, 5, 0, new Probe());
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () -> FRAMES.encode(List.of(new Envelope(0, letter(new Hop(2, true, 5, 0, inner))))));
  }
}
