package io.testudo.mutex.dht.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.overlay.Hop;
import io.testudo.mutex.dht.overlay.HopReceipt;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Routing;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Members that are slow for a moment keep their keys. A real ring under load lost all its members
 * by this: many hops were late at one time, each counted as a silence, and all were sent again.
 */
class SlowMembersTest {
  private static final int OTHERS = 6;
  private static final int LOCKS = 200;
  private static final long MILLI = 1_000_000L;

  private final RingProtocol protocol = RingProtocols.find("sigma-dht").orElseThrow();
  private final Entropy entropy = Entropy.seeded(5);
  private final Map<TimerKey, Long> timers = new LinkedHashMap<>();
  private final Map<Long, NodeId> hops = new LinkedHashMap<>();
  private DhtNode node;
  private long nanos;
  private int sent;

  @BeforeEach
  void start() {
    NodeId self = new NodeId(entropy.nextLong());
    Routing known = Routings.PREFIX.of(self);
    for (int i = 0; i < OTHERS; i++) {
      known.meet(new NodeId(entropy.nextLong()));
    }
    node =
        new DhtNode(
            self, known, protocol.overlay(), true, List.of(), protocol.maker(entropy.fork(1)));
    step(new Input.Started<>(List.of()));
    for (int i = 0; i < LOCKS; i++) {
      step(
          new Input.Called<>(
              new CallId<>(i), Acquire.of("lock-" + i, 1_000 * MILLI, Acquire.FOREVER)));
    }
    assertThat(hops).hasSizeGreaterThan(LOCKS);
  }

  private void step(Input<NodeId> input) {
    for (Effect<NodeId> effect : node.step(input, new Moment(nanos, 1_000_000 + nanos / MILLI))) {
      if (effect instanceof Effect.Send<NodeId> send && send.message() instanceof Hop hop) {
        hops.put(hop.number(), send.to());
        sent++;
      } else if (effect instanceof Effect.SetTimer<NodeId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<NodeId> timer) {
        timers.remove(timer.key());
      }
    }
  }

  /** All that is due by then, and nothing answers. */
  private void pass(long untilNanos) {
    nanos = untilNanos;
    for (TimerKey key : List.copyOf(timers.keySet())) {
      Long due = timers.get(key);
      if (due != null && due <= nanos) {
        timers.remove(key);
        step(new Input.TimerFired<>(key));
      }
    }
  }

  @Test
  void manyHopsThatAreLateAtOneTimeAreOneSilence() {
    pass(protocol.overlay().receiptNanos());
    assertThat(node.overlay().routing().known()).hasSize(OTHERS);
  }

  @Test
  void whatIsLateIsNotAllSentAgain() {
    int before = sent;
    // Not what the clients of locks have to do by then.
    timers.values().removeIf(due -> due != protocol.overlay().receiptNanos());
    pass(protocol.overlay().receiptNanos());
    assertThat(sent - before).isLessThan(before / 2);
  }

  @Test
  void whoAnswersLateLives() {
    for (int round = 1; round < 10; round++) {
      Map<Long, NodeId> sent = new LinkedHashMap<>(hops);
      pass(round * protocol.overlay().receiptNanos());
      sent.forEach(
          (number, to) -> step(new Input.Received<>(to, new HopReceipt(number)))); // Too late.
    }
    assertThat(node.overlay().routing().known()).hasSize(OTHERS);
  }

  @Test
  void whoStaysSilentIsGone() {
    for (int round = 1; round < 30; round++) {
      pass(round * protocol.overlay().receiptNanos());
    }
    assertThat(node.overlay().routing().known()).isEmpty();
  }
}
