package io.testudo.mutex.dht.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.ReplicaKeys;
import io.testudo.mutex.dht.overlay.Hop;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Routing;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.dht.wire.RingLetter;
import io.testudo.mutex.dht.wire.RingTypes;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.RandomMessages;
import io.testudo.quorum.wire.WireLimits;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a decoder lets through, no node throws, and what it says can be written. */
class RingFuzzTest {
  private static final int MESSAGES = 6_000;
  private static final long MILLI = 1_000_000L;
  private static final FrameCodec FRAMES = new FrameCodec(RingTypes.ALL, WireLimits.AUTHENTICATED);

  private final Entropy entropy = Entropy.seeded(7);
  private final List<NodeId> others = new ArrayList<>();
  private final Set<TimerKey> timers = new LinkedHashSet<>();
  private final RandomMessages messages = new RandomMessages(RingTypes.PAYLOADS, entropy);
  private long nanos;

  static Stream<Arguments> rings() {
    return RingProtocols.ALL.stream()
        .flatMap(
            protocol ->
                Stream.of(Routings.values()).map(routing -> Arguments.of(protocol, routing)));
  }

  @ParameterizedTest
  @MethodSource("rings")
  void noMessageMakesANodeThrow(RingProtocol protocol, Routings routing) {
    NodeId self = new NodeId(entropy.nextLong());
    Routing known = routing.of(self);
    for (int i = 0; i < 20; i++) {
      others.add(new NodeId(entropy.nextLong()));
      known.meet(others.get(i));
    }
    DhtNode node =
        new DhtNode(
            self, known, protocol.overlay(), true, List.of(), protocol.maker(entropy.fork(1)));
    step(node, new Input.Started<>(List.of()));
    for (int i = 0; i < MESSAGES; i++) {
      nanos += entropy.nextLong(20 * MILLI);
      if (i % 50 == 0) {
        Acquire call = Acquire.of("lock", 800 * MILLI, i % 100 == 0 ? 0 : 500 * MILLI);
        step(node, new Input.Called<>(new CallId<>(i + 1), call));
      }
      NodeId from = others.get(entropy.nextInt(others.size()));
      Message message = messages.next();
      step(node, new Input.Received<>(from, message));
      if (!(message instanceof Hop)) {
        long key = entropy.nextInt(2) == 0 ? self.bits() : ReplicaKeys.of("lock", i % 5);
        step(node, new Input.Received<>(from, new Hop(i, entropy.chance(0.9), key, 1, message)));
      }
      if (!timers.isEmpty() && i % 3 == 0) {
        TimerKey due = timers.iterator().next();
        timers.remove(due);
        step(node, new Input.TimerFired<>(due));
      }
    }
    assertThat(node.overlay().routing().leaves()).hasSizeLessThanOrEqualTo(16);
    assertThat(node.backend().entries()).isLessThan(3 * MESSAGES);
  }

  private void step(DhtNode node, Input<NodeId> input) {
    if (input instanceof Input.Received<NodeId> received && !node.handles(received.message())) {
      return;
    }
    for (Effect<NodeId> effect : node.step(input, new Moment(nanos, 1_000_000 + nanos / MILLI))) {
      if (effect instanceof Effect.Send<NodeId> send) {
        messages.saw(send.message());
        RingLetter letter =
            new RingLetter(send.to(), send.to(), ImmutableList.of(), send.message());
        assertThat(FRAMES.encode(List.of(new Envelope(0, letter)))).isNotEmpty();
      } else if (effect instanceof Effect.SetTimer<NodeId> timer) {
        timers.add(timer.key());
      } else if (effect instanceof Effect.CancelTimer<NodeId> timer) {
        timers.remove(timer.key());
      }
    }
  }
}
