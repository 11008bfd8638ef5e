package io.testudo.mutex.dht.sim;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.dht.zone.ZoneBackend;
import io.testudo.mutex.dht.zone.ZoneSettings;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.ShareQuorum;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Zone voting with liars among the members that have a share of the space: whether two ever hold a
 * lock at once, and whether anybody gets it. Two ask at the same instant, each is near to one half
 * of the honest space and far from the other, and liars vote for both: the worst that can be.
 */
public final class ZoneExperiment implements RingWorld.Listener, LyingVoter.Plot {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long NEAR_NANOS = 10 * MILLI;
  private static final long FAR_NANOS = 700 * MILLI;
  private static final long HOLD_NANOS = 2 * SECOND;
  private static final OverlayTiming OVERLAY = new OverlayTiming(300 * MILLI, SECOND, 3);
  private static final LockTiming TIMING = LockTiming.standard().withMaxHold(Duration.ofSeconds(3));
  private static final String LOCK = "contended";

  /** What happens to the membership before the liars strike. */
  public enum Membership {
    STEADY,
    /** Half as many honest members come as there were. */
    GROWING,
    /** A third of the honest members goes. */
    SHRINKING,
    /** A third of the honest members goes, and as many come. */
    CHURNING
  }

  /**
   * What is run.
   *
   * @param queues Sigma's rules, else the strawman's
   * @param malicious the share of the space that liars have at the start, at least
   * @param instituted honest members that come in the end, before all is tried once more
   */
  public record Setting(
      ShareQuorum quorum,
      boolean queues,
      Routings routing,
      int members,
      double malicious,
      Membership membership,
      int instituted) {}

  /**
   * What came of it.
   *
   * @param malicious the share of the space that liars had
   * @param isExclusive whether nobody held the lock while another did
   * @param progresses whether somebody who asked got the lock
   */
  public record Outcome(double malicious, boolean isExclusive, boolean progresses) {}

  private final Setting setting;
  private final Entropy entropy;
  private final RingAuthority authority;
  private final RingWorld world;
  private final HolderWatch watch = new HolderWatch(true);
  private final Set<NodeId> liars = new HashSet<>();
  private final Set<NodeId> nearToFirst = new HashSet<>();
  private List<NodeId> contenders = List.of();
  private LyingVoter.Lie lie = LyingVoter.Lie.DOUBLE_VOTE;
  private long entries;

  private ZoneExperiment(Setting setting, long seed) {
    this.setting = setting;
    this.entropy = Entropy.seeded(seed);
    this.authority = new RingAuthority(entropy.fork(2));
    ZoneSettings settings =
        new ZoneSettings(
            setting.quorum(), TIMING, authority, setting.queues(), 2 * SECOND, 3 * SECOND, true);
    this.world =
        new RingWorld(
            setting.routing(),
            OVERLAY,
            RingFaults.none(NEAR_NANOS),
            (self, own) ->
                (node, overlay) ->
                    isLiar(self)
                        ? new LyingVoter(node, overlay, authority, this, own)
                        : new ZoneBackend(node, overlay, settings, own),
            this,
            entropy.fork(1));
  }

  /** Runs it; the second outcome is that after new members were instituted. */
  public static ImmutableList<Outcome> run(Setting setting, long seed) {
    return new ZoneExperiment(setting, seed).play();
  }

  private ImmutableList<Outcome> play() {
    world.form(setting.members());
    after(20 * SECOND);
    changeMembers();
    ImmutableList.Builder<Outcome> outcomes = ImmutableList.builder();
    outcomes.add(strike());
    if (setting.instituted() > 0) {
      for (int i = 0; i < setting.instituted(); i++) {
        world.join();
        after(SECOND / 2);
      }
      after(20 * SECOND);
      outcomes.add(strike());
    }
    return outcomes.build();
  }

  private void after(long nanos) {
    world.runUntil(world.nowNanos() + nanos);
  }

  /** Liars are drawn when the first member is made: all ids are known by then, and no share is. */
  private boolean isLiar(NodeId id) {
    if (liars.isEmpty() && setting.malicious() > 0) {
      double share = 0;
      while (share < setting.malicious()) {
        NodeId one = world.members().any(entropy);
        if (liars.add(one)) {
          share += shareOf(one);
        }
      }
    }
    return liars.contains(id);
  }

  private NodeId below(NodeId id) {
    ImmutableList<NodeId> all = world.members().all();
    int place = all.indexOf(id);
    return all.get(place == 0 ? all.size() - 1 : place - 1);
  }

  private double shareOf(NodeId id) {
    long size = id.bits() - below(id).bits();
    return (double) (size >>> 1) * 0x1.0p-63;
  }

  private void changeMembers() {
    int honest = setting.members() - liars.size();
    boolean shrinks =
        setting.membership() == Membership.SHRINKING || setting.membership() == Membership.CHURNING;
    int comes =
        switch (setting.membership()) {
          case STEADY, SHRINKING -> 0;
          case GROWING -> setting.members() / 2;
          case CHURNING -> honest / 3;
        };
    int goes = shrinks ? honest / 3 : 0;
    for (int i = 0; i < Math.max(comes, goes); i++) {
      if (i < goes) {
        world.kill(anyHonest());
      }
      if (i < comes) {
        world.join();
      }
      after(SECOND / 2);
    }
    after(20 * SECOND);
  }

  private NodeId anyHonest() {
    NodeId one = world.members().any(entropy);
    while (liars.contains(one)) {
      one = world.members().any(entropy);
    }
    return one;
  }

  private Outcome strike() {
    double share = 0;
    nearToFirst.clear();
    double near = 0;
    double far = 0;
    for (NodeId id : world.members().all()) {
      if (liars.contains(id)) {
        share += shareOf(id);
      } else if (near <= far) {
        near += shareOf(id);
        nearToFirst.add(id);
      } else {
        far += shareOf(id);
      }
    }
    NodeId first = anyHonest();
    NodeId second = anyHonest();
    while (second.equals(first)) {
      second = anyHonest();
    }
    contenders = List.of(first, second);
    long overlapsBefore = watch.overlaps();
    for (LyingVoter.Lie attack :
        List.of(LyingVoter.Lie.DOUBLE_VOTE, LyingVoter.Lie.CUNNING, LyingVoter.Lie.NO_PROOF)) {
      raceWith(attack);
    }
    boolean progresses = true;
    for (LyingVoter.Lie attack : List.of(LyingVoter.Lie.SILENCE, LyingVoter.Lie.GREED)) {
      progresses &= enters(attack);
    }
    return new Outcome(share, watch.overlaps() == overlapsBefore, progresses);
  }

  /** Both have asked before, and so have heard of the members; now they ask at the same instant. */
  private void raceWith(LyingVoter.Lie attack) {
    lie = LyingVoter.Lie.DOUBLE_VOTE;
    for (NodeId contender : contenders) {
      call(contender, 2 * SECOND);
      after(4 * SECOND);
    }
    lie = attack;
    world.setDelays(this::delay);
    contenders.forEach(contender -> call(contender, SECOND));
    after(4 * SECOND);
    world.setDelays(null);
    after(2 * SECOND);
  }

  private boolean enters(LyingVoter.Lie attack) {
    lie = attack;
    after(10 * SECOND);
    long before = entries;
    call(contenders.get(0), 15 * SECOND);
    after(20 * SECOND);
    return entries > before;
  }

  private void call(NodeId contender, long waitNanos) {
    RunningNode node = world.node(contender);
    if (node != null) {
      node.call(Acquire.of(LOCK, HOLD_NANOS, waitNanos));
    }
  }

  private boolean isNear(NodeId contender, NodeId member) {
    return liars.contains(member)
        || member.equals(contender)
        || nearToFirst.contains(member) == contender.equals(contenders.get(0));
  }

  private long delay(NodeId from, NodeId to) {
    boolean isFar =
        (contenders.contains(from) && !isNear(from, to))
            || (contenders.contains(to) && !isNear(to, from));
    return isFar ? FAR_NANOS : NEAR_NANOS;
  }

  @Override
  public LyingVoter.Lie lie() {
    return lie;
  }

  /** {@inheritDoc} The last one before it from whom the client hears soon. */
  @Override
  public NodeId unheardBelow(NodeId client, NodeId liar) {
    NodeId below = below(liar);
    while (!isNear(client, below) && !below.equals(liar)) {
      below = below(below);
    }
    return below;
  }

  @Override
  public void completed(RunningNode node, long call, Object result) {
    if (result instanceof Held held) {
      entries++;
      watch.entered(node, held.lock(), held.token());
      world.after(SECOND, () -> release(node, held));
    }
  }

  private void release(RunningNode node, Held held) {
    if (watch.isHeld(node, held.lock(), held.token())) {
      watch.left(node, held.lock(), held.token());
      node.call(new ReleaseCall(held.lock(), held.token()));
    }
  }

  @Override
  public void told(RunningNode node, @Nullable Object event) {
    if (event instanceof LeaseLost lost) {
      watch.left(node, lost.lock(), lost.token());
    }
  }
}
