package io.testudo.node.ring;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.ReplicaKeys;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routing;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.mutex.protocol.LockTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The play: members of a ring contend for a lock; one is killed while it holds it, one while it
 * waits for it, and others join meanwhile. In the end all who live must have had it again, nobody
 * beside another, and the ring must be closed.
 */
public final class RingPlay {
  /** What happens. */
  public enum Scene {
    FORMED,
    CONTEND,
    HOLDS,
    KILLED_HOLDING,
    TAKEN_OVER,
    JOINED,
    KILLED_WAITING,
    GOES_ON
  }

  /** Sees it. */
  public interface Audience {
    /** Something happened, to one of them if it is named. */
    void scene(Scene scene, @Nullable String member, View view);
  }

  /**
   * How it stands.
   *
   * @param members by their names, in the order of their places
   * @param replicas which member has which replica of the lock
   */
  public record View(
      long atMillis,
      String lock,
      ImmutableMap<String, NodeId> members,
      ImmutableMap<Integer, String> replicas,
      @Nullable String holder,
      ImmutableList<String> waiting,
      int entries) {}

  /** What came of it. */
  public record Verdict(int entries, ImmutableList<String> problems, View view) {
    public boolean holds() {
      return problems.isEmpty();
    }
  }

  public static final int LEAST_NODES = 8;
  public static final int MOST_NODES = 128;

  private static final int CONTENDERS = 4;
  private static final int JOINERS = 2;

  /** Hang guards, generous for a loaded machine: if they strike, that is a problem. */
  private static final long GUARD_MILLIS = 60_000;

  /** The ring should be closed again after so long. */
  private static final long SETTLE_MILLIS = 30_000;

  private static final int MAX_NAMES = 1_000;

  private final RingProtocol protocol;
  private final Audience audience;
  private final RingWatch watch = new RingWatch();
  private final long startNanos = System.nanoTime();
  private final PlayedRing ring;
  private String lock = "printer";

  private RingPlay(int nodes, RingProtocol protocol, boolean processes, Audience audience) {
    this.protocol = protocol;
    this.audience = audience;
    this.ring =
        processes
            ? new RingOfProcesses(nodes, protocol, watch, () -> lock)
            : new RingHere(nodes, protocol, watch, () -> lock);
  }

  /** Holds of two seconds, and neighbours that are missed soon: people watch. */
  public static RingProtocol hasty(RingProtocol protocol) {
    return protocol
        .withTiming(
            LockTiming.standard()
                .withMaxHold(Duration.ofSeconds(2))
                .withRefresh(Duration.ofMillis(200)))
        .withOverlay(
            new OverlayTiming(
                Duration.ofMillis(200).toNanos(), Duration.ofMillis(300).toNanos(), 3));
  }

  /** Plays it to the end. */
  public static Verdict play(int nodes, RingProtocol protocol, boolean processes, Audience audience)
      throws InterruptedException {
    RingPlay play = new RingPlay(nodes, protocol, processes, audience);
    try {
      return play.run();
    } finally {
      play.watch.end();
      play.ring.close();
    }
  }

  private Verdict run() throws InterruptedException {
    lock = nameWithReplicasApart();
    show(Scene.FORMED, null);
    List<String> contenders = new ArrayList<>(ring.members().keySet()).subList(0, CONTENDERS);
    List<String> living = new ArrayList<>(contenders);
    living.forEach(ring::contend);
    require(watch.awaitEntries(2 * CONTENDERS, GUARD_MILLIS), "the lock changes hands");
    show(Scene.CONTEND, null);
    dieHolding(living);
    dieWaiting(living);
    seeThatAllGoOn(living);
    seeThatTheRingIsClosed();
    return new Verdict(watch.entries(), watch.problems(), view());
  }

  private void dieHolding(List<String> living) throws InterruptedException {
    String holder = holderThatKeeps();
    if (holder == null) {
      return;
    }
    show(Scene.HOLDS, holder);
    int before = watch.entries();
    ring.kill(holder);
    living.remove(holder);
    watch.letGo();
    show(Scene.KILLED_HOLDING, holder);
    show(Scene.JOINED, ring.join());
    require(
        watch.awaitEntries(before + 1, GUARD_MILLIS),
        "somebody else gets the lock of " + holder + ", which was killed");
    show(Scene.TAKEN_OVER, watch.holder());
  }

  private void dieWaiting(List<String> living) throws InterruptedException {
    String holder = holderThatKeeps();
    if (holder == null) {
      return;
    }
    require(watch.awaitWaiting(living.size() - 1, GUARD_MILLIS), "the others wait");
    String victim = watch.waiting().get(0);
    show(Scene.HOLDS, holder);
    ring.kill(victim);
    living.remove(victim);
    show(Scene.KILLED_WAITING, victim);
    for (int i = 1; i < JOINERS; i++) {
      String joiner = ring.join();
      show(Scene.JOINED, joiner);
      ring.contend(joiner);
      living.add(joiner);
    }
    watch.letGo();
  }

  private @Nullable String holderThatKeeps() throws InterruptedException {
    watch.keepNext();
    String holder = watch.awaitHolder(GUARD_MILLIS);
    require(holder != null, "somebody holds the lock");
    return holder;
  }

  private void seeThatAllGoOn(List<String> living) throws InterruptedException {
    Map<String, Integer> before = new TreeMap<>();
    living.forEach(name -> before.put(name, watch.entriesOf(name)));
    for (String name : living) {
      int seen = before.getOrDefault(name, 0);
      long end = System.nanoTime() + GUARD_MILLIS * 1_000_000;
      while (watch.entriesOf(name) <= seen && System.nanoTime() - end < 0) {
        boolean unused = watch.awaitEntries(watch.entries() + 1, 1_000);
      }
      require(watch.entriesOf(name) > seen, name + " gets the lock again");
    }
    show(Scene.GOES_ON, null);
  }

  private void seeThatTheRingIsClosed() throws InterruptedException {
    long end = System.nanoTime() + SETTLE_MILLIS * 1_000_000;
    ImmutableList<String> wrong = ring.misplaced();
    while (!wrong.isEmpty() && System.nanoTime() - end < 0) {
      boolean unused = watch.awaitEntries(watch.entries() + 1, 200);
      wrong = ring.misplaced();
    }
    require(wrong.isEmpty(), "the ring is closed; these do not know their neighbours: " + wrong);
  }

  private void require(boolean isSo, String what) {
    if (!isSo) {
      watch.problem("It did not come about that " + what + ".");
    }
  }

  private void show(Scene scene, @Nullable String member) {
    audience.scene(scene, member, view());
  }

  private View view() {
    return new View(
        (System.nanoTime() - startNanos) / 1_000_000,
        lock,
        byPlace(),
        replicas(lock),
        watch.holder(),
        watch.waiting(),
        watch.entries());
  }

  private ImmutableMap<String, NodeId> byPlace() {
    Map<String, NodeId> sorted = new LinkedHashMap<>();
    ring.members().entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(member -> sorted.put(member.getKey(), member.getValue()));
    return ImmutableMap.copyOf(sorted);
  }

  /** Who owns the replicas of a lock, as one would say who sees the whole ring. */
  private ImmutableMap<Integer, String> replicas(String name) {
    if (!protocol.hasReplicas()) {
      return ImmutableMap.of();
    }
    ImmutableMap<String, NodeId> members = ring.members();
    ImmutableMap.Builder<Integer, String> owners = ImmutableMap.builder();
    for (int index = 0; index < protocol.replicas(); index++) {
      long key = ReplicaKeys.of(name, index);
      for (Map.Entry<String, NodeId> member : members.entrySet()) {
        Routing routing = protocol.routing().of(member.getValue());
        members.values().forEach(routing::meet);
        if (routing.zone().contains(key)) {
          owners.put(index, member.getKey());
        }
      }
    }
    return owners.buildOrThrow();
  }

  /**
   * One death must not make more replicas forget than are tolerated: so each has its own member.
   */
  private String nameWithReplicasApart() {
    for (int i = 1; i <= MAX_NAMES; i++) {
      String name = i == 1 ? lock : lock + "-" + i;
      Set<String> owners = new HashSet<>(replicas(name).values());
      if (owners.size() == protocol.replicas() || !protocol.hasReplicas()) {
        return name;
      }
    }
    return lock;
  }
}
