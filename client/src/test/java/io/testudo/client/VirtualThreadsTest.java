package io.testudo.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.recipes.CountDownLatch;
import io.testudo.client.recipes.ReadWriteLock;
import io.testudo.client.recipes.Semaphore;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.FencedResource;
import io.testudo.mutex.Lease;
import io.testudo.mutex.MultiLease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Virtual threads that wait for Testudo let their carriers go. Needs a JVM that has them: {@code
 * mvn test -pl client -Dtest=VirtualThreadsTest -Djvm=JDK/bin/java}.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VirtualThreadsTest {
  private static final int THREADS = 2_000;
  private static final int LOCKS = 50;

  @TempDir Path directory;

  private TestudoCluster cluster;

  @BeforeAll
  void start() {
    cluster = TestudoCluster.start(4, 1);
  }

  @AfterAll
  void close() {
    cluster.close();
  }

  /** A class whose initializer waits, which pins in every Java so far. */
  private static final class SlowToStart {
    static final long NANOS = waited();

    private static long waited() {
      long begun = System.nanoTime();
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
      return System.nanoTime() - begun;
    }
  }

  @SuppressWarnings("WaitNotInLoop") // Nobody wakes it.
  private static long waitInAMonitor() throws InterruptedException {
    Object monitor = new Object();
    synchronized (monitor) {
      monitor.wait(1);
    }
    return 0;
  }

  /** Else the others prove nothing. */
  @Test
  void hearsOfThreadsThatArePinned() throws Exception {
    try (PinnedThreads pins = new PinnedThreads(directory.resolve("control.jfr"))) {
      allOf(List.of(() -> SlowToStart.NANOS, VirtualThreadsTest::waitInAMonitor));
      assertThat(pins.events())
          .anyMatch(event -> event.contains("SlowToStart"))
          .anyMatch(event -> event.startsWith("jdk.JavaMonitorWait"));
    }
  }

  @Test
  void thousandsTakeLocksAndCount() throws Exception {
    assertThat(
            pinnedBy(
                prefix -> {
                  try (TestudoClient client = cluster.client()) {
                    takeLocksAndCount(client, prefix);
                  }
                }))
        .isEmpty();
  }

  private static void takeLocksAndCount(TestudoClient client, String prefix) throws Exception {
    List<FencedResource<int[]>> entries = new ArrayList<>();
    for (int i = 0; i < LOCKS; i++) {
      entries.add(new FencedResource<>(new int[1]));
    }
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i % LOCKS;
      tasks.add(
          () -> {
            try (Lease lease = client.lock(prefix + "lock-" + number).acquire()) {
              return entries
                  .get(number)
                  .use(
                      lease.fencingToken(),
                      count -> {
                        count[0]++;
                        return client.counter(prefix + "entries").increment().join();
                      });
            }
          });
    }
    allOf(tasks);
    assertThat(entries.stream().mapToInt(it -> it.use(Long.MAX_VALUE, count -> count[0])).sum())
        .isEqualTo(THREADS);
    assertThat(client.counter(prefix + "entries").get().join()).isEqualTo(THREADS);
  }

  @Test
  void manyShareRecipesAndWaitForEachOther() throws Exception {
    assertThat(
            pinnedBy(
                prefix -> {
                  try (TestudoClient client = cluster.client()) {
                    shareRecipes(client, prefix);
                  }
                }))
        .isEmpty();
  }

  private static void shareRecipes(TestudoClient client, String prefix) throws Exception {
    int threads = 40;
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      tasks.add(
          () -> {
            Semaphore semaphore = client.semaphore(prefix + "permits", 4);
            ReadWriteLock gate = client.readWriteLock(prefix + "gate");
            CountDownLatch latch = client.countDownLatch(prefix + "latch", threads);
            try (Lease permit = semaphore.acquire();
                Lease place = (number % 8 == 0 ? gate.write() : gate.read()).acquire()) {
              assertThat(permit.isHeld()).isTrue();
              place.renew();
            }
            latch.countDown().join();
            latch.await();
            return latch.count().join();
          });
    }
    allOf(tasks);
  }

  /** Also what begins servers and ends clients, where Netty's own waits would pin. */
  @Test
  void clientsAndServersBeginAndEnd() throws Exception {
    assertThat(
            pinnedBy(
                prefix -> {
                  List<Callable<String>> tasks = new ArrayList<>();
                  for (int i = 0; i < 20; i++) {
                    tasks.add(() -> comeAndGo(prefix));
                  }
                  tasks.add(
                      () -> {
                        cluster.stop(3);
                        cluster.start(3);
                        return "restarted";
                      });
                  allOf(tasks);
                }))
        .isEmpty();
  }

  private String comeAndGo(String prefix) throws InterruptedException {
    try (TestudoClient client = cluster.client()) {
      DistributedLock lock = client.lock(prefix + "beginning");
      lock.lock();
      try (MultiLease several =
          client.multiLock(List.of(prefix + "one", prefix + "two")).acquire()) {
        assertThat(several.isHeld()).isTrue();
      } finally {
        lock.unlock();
      }
      long beginnings = client.counter(prefix + "beginnings").increment().join();
      return beginnings + client.status().toString();
    }
  }

  private interface Work {
    /**
     * Works.
     *
     * @param prefix of all names, so that it begins anew
     */
    void run(String prefix) throws Exception;
  }

  /** Once before it counts: whoever loads a class, or waits for that, is pinned in every Java. */
  private List<String> pinnedBy(Work work) throws Exception {
    work.run("first-");
    try (PinnedThreads pins = new PinnedThreads(directory.resolve("pinned.jfr"))) {
      work.run("then-");
      return pins.events();
    }
  }

  private static <T> void allOf(List<Callable<T>> tasks)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = PinnedThreads.virtualThreads();
    try {
      for (Future<T> done : threads.invokeAll(tasks)) {
        T unused = done.get();
      }
    } finally {
      threads.shutdown();
    }
  }
}
