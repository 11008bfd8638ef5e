package io.testudo.quorum.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.RandomMessages;
import io.testudo.quorum.wire.WireTypes;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that has some rights, but to names that nobody else uses, and says whatever can be said
 * with them, in any order. Servers have to go on as if it were not there.
 */
final class SimByzantineClient extends SimNode {
  static final String PRINCIPAL = "rogue";

  /** Names that are made up begin so if they are long enough, and nobody else uses them. */
  private static final String PREFIX = "a/";

  private static final long HANDLE = 1;
  private static final int MAX_MESSAGES = 400;
  private static final long LONGEST_PAUSE_NANOS = 40_000_000L;

  private final int servers;
  private final long session;
  private final RandomMessages maker;
  private final boolean hasAnythingToSay;
  private int said;

  SimByzantineClient(World world, int node, int servers, WireTypes wire) {
    super(world, node, PRINCIPAL, FaultKind.CLIENT_PAUSE);
    this.servers = servers;
    this.session = entropy.nextLong();
    this.maker = new RandomMessages(wire, entropy.fork(1));
    this.hasAnythingToSay =
        wire.all().stream().anyMatch(type -> Guarded.class.isAssignableFrom(type.type()));
  }

  /** Rights of a rogue: some, to names of its own. */
  static Rights rights(Hazards hazards) {
    List<Right> all = new ArrayList<>(List.of(Right.values()));
    all.remove(Right.ADMINISTER);
    for (int without = hazards.entropy.nextInt(all.size()); without > 0; without--) {
      all.remove(hazards.entropy.nextInt(all.size()));
    }
    return Rights.of(List.of(Grant.of(PRINCIPAL, ImmutableSet.copyOf(all), PREFIX)), List.of());
  }

  void start() {
    if (hasAnythingToSay) {
      after(entropy.nextLong(LONGEST_PAUSE_NANOS), this::speak);
    }
  }

  private void speak() {
    for (int burst = 1 + entropy.nextInt(8); burst > 0 && said < MAX_MESSAGES; burst--) {
      Message message = maker.next();
      if (world.allows(PRINCIPAL, message)) {
        say(message);
      }
    }
    if (said < MAX_MESSAGES) {
      start();
    }
  }

  private void say(Message message) {
    said++;
    maker.saw(message);
    world.stats.fault(FaultKind.ROGUE_MESSAGE);
    List<SimFrame> frames;
    try {
      frames = world.frames.pack(List.of(new Envelope(HANDLE, message)));
    } catch (IllegalArgumentException e) {
      return; // Longer than anybody may be.
    }
    world.trace.note(world.events.nowNanos(), name, () -> "says " + message);
    boolean toAll = entropy.chance(0.7);
    for (int server = 0; server < servers; server++) {
      if (toAll || entropy.chance(0.3)) {
        for (SimFrame frame : frames) {
          world.send(new Parcel(index, server, session, frame, false));
        }
      }
    }
  }

  @Override
  void arrive(Parcel parcel) {
    // Answers to it change nothing of what it says.
  }
}
