package io.testudo.client.keeping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.keeping.Surroundings.Pending;
import io.testudo.client.keeping.Surroundings.RecipeClock;
import io.testudo.client.recipes.LeadershipListener;
import io.testudo.client.roster.LeaseRule;
import io.testudo.client.roster.Roster;
import io.testudo.client.roster.RosterType;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.Callbacks;
import io.testudo.quorum.protocol.Moment;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Elections in virtual time, on a lock that leases like a real one. */
class CandidateTest {
  private static final long MILLI = VirtualWorld.MILLI;
  private static final LockOptions OPTIONS =
      LockOptions.standard().withHold(Duration.ofSeconds(1)).withEndlessRenewal();

  private static final RecipeClock AT_ONCE =
      new RecipeClock() {
        @Override
        public Moment now() {
          return new Moment(0, 0);
        }

        @Override
        public Pending later(long nanos, Runnable task) {
          task.run();
          return () -> {};
        }
      };

  private final VirtualWorld world = new VirtualWorld(3);
  private final VirtualObject<Roster> object =
      new VirtualObject<>(world, RosterType.SEMAPHORE.type(), 10 * MILLI);

  /** Terms that a resource saw, the largest last; what comes too late is counted. */
  private final List<Long> written = new ArrayList<>();

  private int refused;

  private void write(Lease term) {
    if (!written.isEmpty() && written.get(written.size() - 1) > term.fencingToken()) {
      refused++;
    } else {
      written.add(term.fencingToken());
    }
  }

  private static DistributedLock lock(Supplier<CompletableFuture<Lease>> acquire) {
    return (DistributedLock)
        Proxy.newProxyInstance(
            CandidateTest.class.getClassLoader(),
            new Class<?>[] {DistributedLock.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "name" -> "leader";
                  case "options" -> OPTIONS;
                  case "acquireAsync" -> acquire.get();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** A process that contends, and writes every 50 ms while it believes that it leads. */
  private final class Contender implements LeadershipListener {
    private final VirtualWorld.VirtualNode node;
    private final RosterKeeper keeper;
    private final ElectionCandidate candidate;
    private final List<String> heard = new ArrayList<>();

    Contender(String name, double rate) {
      node = world.new VirtualNode(name, rate);
      Surroundings around = node.around(0.1);
      keeper = new RosterKeeper(object.handle(node), RosterType.SEMAPHORE, 1, around);
      candidate = new ElectionCandidate(lock(() -> keeper.enter(1, OPTIONS)), around, () -> {});
      candidate.listen(this);
      candidate.start();
    }

    @Override
    public void gained(Lease term) {
      heard.add("gained " + term.fencingToken());
      writeOn(term);
    }

    private void writeOn(Lease term) {
      if (term.isHeld()) {
        // It looks, stands still for a while, and writes.
        world.at(20 * MILLI, () -> node.run(() -> write(term)));
        world.at(50 * MILLI, () -> node.run(() -> writeOn(term)));
      }
    }

    @Override
    public void lost(Lease term) {
      heard.add("lost " + term.fencingToken());
    }
  }

  private static long leaders(List<Contender> all) {
    return all.stream().filter(one -> !one.node.isDead() && one.candidate.isLeader()).count();
  }

  @Test
  void neverHasTwoLeadersWhateverPauses() {
    List<Contender> all =
        List.of(new Contender("a", 0.9), new Contender("b", 1.1), new Contender("c", 1));
    for (int i = 0; i < 200; i++) {
      Contender one = all.get(world.random.nextInt(3));
      world.at(
          world.random.nextInt(60_000) * MILLI,
          () -> one.node.pause(world.random.nextInt(3_000) * MILLI));
    }
    world.run(70_000 * MILLI, () -> assertThat(leaders(all)).isLessThanOrEqualTo(1));
    assertThat(written).isSorted();
    assertThat(written.stream().distinct()).hasSizeGreaterThan(3);
    assertThat(refused).as("writes that came too late").isPositive();
    assertThat(leaders(all)).isEqualTo(1);
    for (Contender one : all) {
      for (int i = 0; i + 1 < one.heard.size(); i += 2) {
        assertThat(one.heard.get(i + 1)).isEqualTo(one.heard.get(i).replace("gained", "lost"));
      }
    }
  }

  @Test
  void handsOverWhenItsListenersHaveReturned() {
    Contender first = new Contender("a", 1);
    world.run(500 * MILLI);
    Contender second = new Contender("b", 1);
    world.run(500 * MILLI);
    assertThat(first.candidate.isLeader()).isTrue();
    first.candidate.resign();
    assertThat(first.candidate.isLeader()).isFalse();
    world.run(300 * MILLI);
    assertThat(second.candidate.isLeader()).isTrue();
    assertThat(first.heard).containsExactly("gained 1", "lost 1");
    second.candidate.close();
    world.run(5_000 * MILLI);
    assertThat(first.candidate.isLeader()).isTrue();
    assertThat(second.heard).containsExactly("gained 2", "lost 2");
    CompletableFuture<Lease> never = second.candidate.whenLeader();
    world.run(MILLI);
    assertThat(never).isDone();
    assertThatThrownBy(never::join).hasCauseInstanceOf(ClosedException.class);
  }

  @Test
  void triesAgainWhateverFails() {
    List<TestudoException> troubles = new ArrayList<>();
    VirtualWorld.VirtualNode node = world.new VirtualNode("a", 1);
    int[] calls = new int[1];
    DistributedLock failing =
        lock(
            () -> {
              calls[0]++;
              return CompletableFuture.failedFuture(
                  new NoQuorumException(ServerSet.none(), 4, 3, Outcome.DID_NOT_HAPPEN));
            });
    Surroundings around = new Surroundings(node, node::soon, new LeaseRule(0.1), "a", () -> 1);
    ElectionCandidate candidate = new ElectionCandidate(failing, around, () -> {});
    candidate.listen(
        new LeadershipListener() {
          @Override
          public void gained(Lease term) {}

          @Override
          public void lost(Lease term) {}

          @Override
          public void troubled(TestudoException reason) {
            troubles.add(reason);
          }
        });
    candidate.start();
    CompletableFuture<Lease> leads = candidate.whenLeader();
    world.run(60_000 * MILLI);
    assertThat(calls[0]).isBetween(10, 30);
    assertThat(troubles).hasSize(calls[0]);
    candidate.close();
    world.run(60_000 * MILLI);
    assertThat(calls[0]).isLessThanOrEqualTo(30);
    assertThat(leads).isDone();
    assertThatThrownBy(leads::join).hasCauseInstanceOf(ClosedException.class);
  }

  /** What is told of a lease, by hand. */
  private static Lease lease(long token, List<Runnable> onLost) {
    return (Lease)
        Proxy.newProxyInstance(
            CandidateTest.class.getClassLoader(),
            new Class<?>[] {Lease.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "hasFencingToken", "isHeld" -> true;
                  case "fencingToken" -> token;
                  case "onLost" -> onLost.add((Runnable) args[0]);
                  default -> null;
                });
  }

  @Test
  @Timeout(60)
  void tellsOfALossAtOnceAndDoesNotContendWhileItStillWorks() throws Exception {
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    List<Runnable> onLost = new ArrayList<>();
    CountDownLatch works = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<Thread> workers = new ArrayList<>();
    Executor firstElsewhere =
        task -> {
          if (workers.isEmpty()) {
            Thread worker = new Thread(task);
            workers.add(worker);
            worker.start();
          } else {
            task.run();
          }
        };
    boolean[] lost = new boolean[1];
    ElectionCandidate candidate =
        new ElectionCandidate(
            lock(
                () -> {
                  asked.add(new CompletableFuture<>());
                  return asked.get(asked.size() - 1);
                }),
            new Surroundings(AT_ONCE, firstElsewhere, new LeaseRule(0.1), "a", () -> 1),
            () -> {});
    candidate.listen(
        new LeadershipListener() {
          @Override
          public void gained(Lease term) {
            works.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }

          @Override
          public void lost(Lease term) {
            lost[0] = true;
          }
        });
    candidate.start();
    asked.get(0).complete(lease(1, onLost));
    works.await();
    assertThat(candidate.isLeader()).isTrue();
    onLost.get(0).run();
    assertThat(lost[0]).as("told while it works").isTrue();
    assertThat(candidate.isLeader()).isFalse();
    assertThat(asked).as("contends while it works").hasSize(1);
    goOn.countDown();
    workers.get(0).join();
    assertThat(asked).hasSize(2);
  }

  /** On the thread of the connections, where what one throws could keep it from what follows. */
  @Test
  void listenersThatThrowKeepItFromNothing() {
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    List<Runnable> onLost = new ArrayList<>();
    List<String> heard = new ArrayList<>();
    List<String> thrown = new ArrayList<>();
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
    thread.setUncaughtExceptionHandler((any, error) -> thrown.add(error.getMessage()));
    try {
      ElectionCandidate candidate =
          new ElectionCandidate(
              lock(
                  () -> {
                    asked.add(new CompletableFuture<>());
                    return asked.get(asked.size() - 1);
                  }),
              new Surroundings(
                  AT_ONCE, Callbacks.on(Runnable::run), new LeaseRule(0.1), "a", () -> 1),
              () -> {});
      candidate.listen(listener(what -> fail(what)));
      candidate.listen(listener(heard::add));
      candidate.start();
      asked
          .get(0)
          .completeExceptionally(
              new NoQuorumException(ServerSet.none(), 4, 3, Outcome.DID_NOT_HAPPEN));
      assertThat(asked).as("tries").hasSize(2);
      asked.get(1).complete(lease(1, onLost));
      onLost.get(0).run();
      assertThat(asked).as("tries").hasSize(3);
    } finally {
      thread.setUncaughtExceptionHandler(before);
    }
    assertThat(heard).containsExactly("troubled", "gained", "lost");
    assertThat(thrown).isEqualTo(heard);
  }

  private static void fail(String what) {
    throw new IllegalStateException(what);
  }

  private static LeadershipListener listener(Consumer<String> hears) {
    return new LeadershipListener() {
      @Override
      public void gained(Lease term) {
        hears.accept("gained");
      }

      @Override
      public void lost(Lease term) {
        hears.accept("lost");
      }

      @Override
      public void troubled(TestudoException reason) {
        hears.accept("troubled");
      }
    };
  }
}
