package io.testudo.node.demo;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.testudo.ordering.access.ObjectClient;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Collusion;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The demo itself: clients use a lock and a counter while a server lies, is honest again, and
 * another is killed and comes back. In the end checks say whether anything broke.
 */
public final class DemoRun {
  /** Beside so many others nobody tells the truth. */
  public static final int MAX_LIARS = DemoCluster.SERVERS - 1;

  private static final ImmutableList<String> CLIENTS = ImmutableList.of("alice", "bob", "carol");
  private static final ServerId KILLED = new ServerId(DemoCluster.SERVERS - 1);

  /** Generous: each scene lasts until something was done in it, on a loaded machine too. */
  private static final Duration SCENE_AT_MOST = Duration.ofSeconds(20);

  private static final Duration END_WITHIN = Duration.ofSeconds(15);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final Settings settings;
  private final Audience audience;
  private final DemoCluster cluster;
  private final LockWatch lockWatch = new LockWatch();
  private final CountWatch countWatch = new CountWatch();
  private final List<DemoClient> clients = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<ServerId> down = new HashSet<>();
  private final long startNanos = System.nanoTime();

  /**
   * What is played.
   *
   * @param liars how many lie at once; the cluster tolerates one
   * @param duration of all scenes, if the machine is quick enough
   */
  public record Settings(ByzantineKind kind, int liars, Duration duration) {}

  /** Who is told what happens. */
  public interface Audience {
    /**
     * A new scene.
     *
     * @param server whom it is about, null if all
     */
    void scene(Scene scene, @Nullable String server, View view);

    /** How it stands, many times a second. */
    void look(View view);
  }

  /** What happens, one after the other. */
  public enum Scene {
    ALL_HONEST(0.15),
    LIES(0.35),
    HONEST_AGAIN(0.15),
    KILLED(0.15),
    BACK(0.2);

    private final double share;

    Scene(double share) {
      this.share = share;
    }
  }

  /**
   * One server, as those who watch see it.
   *
   * @param caught how often clients heard from it what no correct server says
   */
  public record ServerView(String name, boolean isUp, boolean lies, long liesTold, long caught) {}

  /**
   * All that can be seen at one moment.
   *
   * @param holder who has the lock, null if it changes hands
   * @param fence the largest so far
   * @param counter as clients were told last
   */
  public record View(
      Duration at,
      @Nullable String holder,
      long fence,
      List<String> waiting,
      long entries,
      long counter,
      long version,
      long increments,
      List<ServerView> servers) {}

  /**
   * What the checks say.
   *
   * @param overlaps holders who should not have held
   * @param lost increments that were acknowledged and are not there
   * @param lateHolders those who came when their lease was over, and were not let in
   * @param askedAgain increments whose outcome was known only after asking again
   * @param problems all that is wrong, in words
   */
  public record Verdict(
      boolean holds,
      int overlaps,
      long lost,
      long entries,
      long increments,
      long lateHolders,
      long askedAgain,
      ImmutableList<String> problems,
      View view) {}

  private DemoRun(Settings settings, Audience audience, DemoCluster cluster) {
    this.settings = settings;
    this.audience = audience;
    this.cluster = cluster;
  }

  /** Which lies can be told here: all but those in the bytes of a frame. */
  public static ImmutableList<ByzantineKind> lies() {
    return ImmutableList.of(
        ByzantineKind.EQUIVOCATE,
        ByzantineKind.STALE,
        ByzantineKind.ALWAYS_FREE,
        ByzantineKind.ALWAYS_LOCKED,
        ByzantineKind.SILENT,
        ByzantineKind.SILENT_TO_SOME,
        ByzantineKind.WILD_NUMBER,
        ByzantineKind.INVENT,
        ByzantineKind.EARLY_COMMIT,
        ByzantineKind.NO_STORE,
        ByzantineKind.FORGET,
        ByzantineKind.EDGE_OF_TIME,
        ByzantineKind.REPLAY,
        ByzantineKind.FLOOD,
        ByzantineKind.FALSE_CLOCK,
        ByzantineKind.TWINS);
  }

  /** Plays it all, and judges. */
  public static Verdict play(Settings settings, Audience audience) throws InterruptedException {
    try (DemoCluster cluster = new DemoCluster()) {
      return new DemoRun(settings, audience, cluster).play();
    }
  }

  private Verdict play() throws InterruptedException {
    try {
      CLIENTS.forEach(name -> clients.add(new DemoClient(name, cluster, lockWatch, countWatch)));
      clients.forEach(DemoClient::begin);
      scene(Scene.ALL_HONEST, null);
      ImmutableList<ServerId> liars = liars();
      Collusion collusion = new Collusion(new SecureRandom().nextLong());
      liars.forEach(liar -> cluster.faultSwitch(liar).lie(settings.kind(), collusion));
      scene(Scene.LIES, names(liars));
      liars.forEach(liar -> cluster.faultSwitch(liar).beHonest());
      scene(Scene.HONEST_AGAIN, names(liars));
      cluster.kill(KILLED);
      down.add(KILLED);
      scene(Scene.KILLED, KILLED.toString());
      cluster.restart(KILLED);
      down.remove(KILLED);
      scene(Scene.BACK, KILLED.toString());
      return judge();
    } finally {
      clients.forEach(DemoClient::close);
    }
  }

  /** The last one is killed later: the liar is the one before it. */
  private ImmutableList<ServerId> liars() {
    ImmutableList.Builder<ServerId> liars = ImmutableList.builder();
    for (int index = KILLED.index() - settings.liars(); index < KILLED.index(); index++) {
      liars.add(new ServerId(index));
    }
    return liars.build();
  }

  private static String names(List<ServerId> servers) {
    int last = servers.size() - 1;
    String name = servers.get(last).toString();
    return last == 0 ? name : Joiner.on(", ").join(servers.subList(0, last)) + " and " + name;
  }

  private void scene(Scene scene, @Nullable String server) {
    audience.scene(scene, server, view());
    long begunNanos = System.nanoTime();
    long entriesBefore = lockWatch.view().entries();
    long countedBefore = countWatch.view().acknowledged();
    long lengthNanos = (long) (settings.duration().toNanos() * scene.share);
    while (true) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      audience.look(view());
      long passedNanos = System.nanoTime() - begunNanos;
      boolean entered = lockWatch.view().entries() > entriesBefore;
      boolean counted = countWatch.view().acknowledged() > countedBefore;
      if (passedNanos >= lengthNanos && entered && counted) {
        return;
      }
      if (passedNanos >= SCENE_AT_MOST.toNanos() + lengthNanos) {
        String what =
            !entered && !counted
                ? "nothing was done"
                : !entered ? "nobody got the lock" : "nobody could count";
        problems.add("%s for %d s: %s".formatted(what, SCENE_AT_MOST.toSeconds(), scene));
        return;
      }
    }
  }

  private View view() {
    LockWatch.View lock = lockWatch.view();
    CountWatch.View count = countWatch.view();
    ImmutableList.Builder<ServerView> servers = ImmutableList.builder();
    for (ServerId id : DemoCluster.ids()) {
      SharedFaultSwitch faultSwitch = cluster.faultSwitch(id);
      servers.add(
          new ServerView(
              id.toString(),
              !down.contains(id),
              faultSwitch.plan() != null,
              faultSwitch.lies(),
              clients.stream().mapToLong(client -> client.caught(id)).sum()));
    }
    return new View(
        Duration.ofNanos(System.nanoTime() - startNanos),
        lock.holder(),
        lock.fence(),
        lock.waiting(),
        lock.entries(),
        count.highest(),
        count.version(),
        count.acknowledged(),
        servers.build());
  }

  private Verdict judge() throws InterruptedException {
    clients.forEach(DemoClient::stop);
    for (DemoClient client : clients) {
      if (!client.awaitEnd(END_WITHIN)) {
        problems.add(client.name() + " did not come to an end");
      }
    }
    LockWatch.View lock = lockWatch.view();
    CountWatch.View count = countWatch.view();
    problems.addAll(lock.overlaps());
    problems.addAll(count.problems());
    Long value = finalValue();
    long lost = value == null ? count.problems().size() : CountWatch.lost(count, value);
    if (value != null && value < count.acknowledged()) {
      problems.add(
          "the counter says %d, and %d increments were acknowledged"
              .formatted(value, count.acknowledged()));
    }
    if (value != null && CountWatch.invented(count, value) > 0) {
      problems.add(
          "the counter says %d, and only %d increments were made"
              .formatted(value, count.acknowledged() + count.unresolved()));
    }
    return new Verdict(
        problems.isEmpty(),
        lock.overlaps().size(),
        lost,
        lock.entries(),
        count.acknowledged(),
        lock.late(),
        count.askedAgain(),
        ImmutableList.copyOf(problems),
        view());
  }

  /** As a client reads it that was not there before; null if it cannot. */
  private @Nullable Long finalValue() {
    try (NettyClient connections = cluster.connect("dora");
        ObjectClient reader = cluster.objects(connections)) {
      return CounterObject.open(reader, DemoClient.COUNTER).withTimeout(END_WITHIN).get().join();
    } catch (CompletionException e) {
      String why = e.getCause() instanceof TestudoException told ? told.getMessage() : e.toString();
      problems.add("the counter cannot be read: " + why);
      return null;
    }
  }
}
