package io.testudo.client.examples;

import io.testudo.client.ClientListener;
import io.testudo.client.TestudoClient;
import io.testudo.client.recipes.CountDownLatch;
import io.testudo.client.recipes.LeaderElection;
import io.testudo.client.recipes.LeadershipListener;
import io.testudo.client.recipes.Semaphore;
import io.testudo.client.status.ClusterStatus;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.FencedResource;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.MultiLease;
import io.testudo.ordering.Applied;
import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.MapObject;
import io.testudo.ordering.objects.QueueObject;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** What docs/cookbook.md shows, region by region. */
@SuppressWarnings("try") // A lease is held, whether it is looked at or not.
final class CookbookExample {
  private CookbookExample() {}

  static boolean onlyOne(TestudoClient client, Runnable job) throws InterruptedException {
    // [only-one]
    Optional<Lease> lease = client.lock("reports/daily").tryAcquire();
    if (lease.isEmpty()) {
      return false; // Another instance is at it.
    }
    try (Lease held = lease.get()) {
      job.run();
      return true;
    }
    // [end]
  }

  static boolean oncePerDay(TestudoClient client, String day, String instance, Runnable job) {
    // [once]
    MapObject done = client.map("reports/done");
    boolean first = done.putIfAbsent(Bytes.utf8(day), Bytes.utf8(instance)).join();
    if (first) {
      job.run();
    }
    // [end]
    return first;
  }

  static void longJob(TestudoClient client, Iterable<Runnable> steps) throws InterruptedException {
    // [long-job]
    LockOptions options =
        LockOptions.standard().withHold(Duration.ofSeconds(20)).withEndlessRenewal();
    try (Lease lease = client.lock("migration", options).acquire()) {
      lease.onLost(Thread.currentThread()::interrupt);
      for (Runnable step : steps) {
        if (!lease.isHeld()) {
          throw new IllegalStateException("lost the lock; another instance goes on");
        }
        step.run();
      }
    }
    // [end]
  }

  static void fenced(TestudoClient client, FencedResource<Map<String, String>> settings)
      throws InterruptedException {
    // [fence]
    try (Lease lease = client.lock("settings").acquire()) {
      settings.use(lease.fencingToken(), map -> map.put("mode", "fast"));
    }
    // [end]
  }

  static LeaderElection leader(TestudoClient client, Consumer<Long> lead, Runnable follow) {
    // [leader]
    LeaderElection election = client.leaderElection("billing/leader");
    election.listen(
        new LeadershipListener() {
          @Override
          public void gained(Lease term) {
            lead.accept(term.fencingToken()); // Show the term to whatever the leader writes to.
          }

          @Override
          public void lost(Lease term) {
            follow.run();
          }
        });
    election.start();
    // [end]
    return election;
  }

  static void limited(TestudoClient client, Runnable call) throws InterruptedException {
    // [limit]
    Semaphore slots = client.semaphore("partner-api", 5);
    try (Lease slot = slots.acquire()) {
      call.run();
    }
    // [end]
  }

  static void transfer(TestudoClient client, LongConsumer work) throws InterruptedException {
    // [several]
    try (MultiLease leases = client.multiLock(List.of("account/17", "account/42")).acquire()) {
      work.accept(leases.lease("account/17").fencingToken());
    }
    // [end]
  }

  static long number(TestudoClient client) {
    // [numbers]
    CounterObject orders = client.counter("orders/number");
    long number = orders.increment().join();
    // [end]
    return number;
  }

  static Subscription settings(TestudoClient client, Consumer<Map<Bytes, Bytes>> listener) {
    // [settings]
    MapObject settings = client.map("settings");
    settings.put("mode", "fast").join();
    Subscription subscription =
        settings.object().onVersion(snapshot -> listener.accept(snapshot.state().toMap()));
    // [end]
    return subscription;
  }

  static int workOff(TestudoClient client, Consumer<String> worker) {
    // [queue]
    QueueObject jobs = client.queue("jobs");
    jobs.add("resize image 7").join();
    int worked = 0;
    for (Optional<Bytes> job = jobs.poll().join(); job.isPresent(); job = jobs.poll().join()) {
      worker.accept(job.get().toText()); // If this process dies here, the job is gone.
      worked++;
    }
    // [end]
    return worked;
  }

  static void allReady(TestudoClient client, String host) throws InterruptedException {
    // [ready]
    CountDownLatch ready = client.countDownLatch("release-42/ready", 3);
    ready.countDown(host).join(); // Counts each host once, however often it is called.
    ready.await();
    // [end]
  }

  // [own-type]
  /** Whoever comes may pass so many times in a minute of the clock of who is asked. */
  record Minute(long minute, long passed) {}

  static final Codec<Minute> MINUTES =
      Codec.of(
          (state, out) -> out.writeLong(state.minute()).writeLong(state.passed()),
          in -> new Minute(in.readLong(), in.readLong()));

  static final Operation<Minute, Long, Boolean> PASS =
      Operation.of(1, "pass", Codec.LONG, Codec.BOOLEAN)
          .changing(
              (state, most) -> {
                long now = System.currentTimeMillis() / 60_000; // One client looks, others copy.
                long passed = now == state.minute() ? state.passed() : 0;
                return passed < most
                    ? Change.to(new Minute(now, passed + 1), true)
                    : Change.none(false);
              });

  static final ObjectType<Minute> RATE =
      ObjectType.of(101, "rate", MINUTES, new Minute(0, 0)).with(PASS);

  // [end]

  static boolean mayPass(TestudoClient client) {
    // [rate]
    ReplicatedObject<Minute> rate = client.object("rate/partner-api", RATE);
    boolean passes = rate.submit(PASS, 100L).join();
    // [end]
    return passes;
  }

  static Optional<Long> certain(TestudoClient client, Duration patience) {
    // [unknown]
    ReplicatedObject<Long> visits = client.counter("visits").withTimeout(patience).object();
    try {
      return Optional.of(visits.submit(CounterObject.ADD, 1L).join());
    } catch (CompletionException e) {
      if (e.getCause() instanceof UnknownOutcomeException unknown) {
        // Waits for that very increment, for the usual time, and never makes a second one.
        ReplicatedObject<Long> asked = client.counter("visits").object();
        return asked.outcomeOf(unknown.id(), CounterObject.ADD).join().map(Applied::result);
      }
      throw e;
    }
    // [end]
  }

  static CompletableFuture<Void> async(TestudoClient client, Consumer<Long> work) {
    // [async]
    DistributedLock lock = client.lock("reports/weekly");
    CompletableFuture<Void> done =
        lock.acquireAsync()
            .thenAccept(
                lease -> {
                  try (lease) {
                    work.accept(lease.fencingToken());
                  }
                });
    // [end]
    return done;
  }

  static Map<String, String> watchServers(TestudoClient client) throws InterruptedException {
    Map<String, String> suspected = new HashMap<>();
    // [watch]
    client.listen(
        new ClientListener() {
          @Override
          public void suspected(String server, String reason) {
            suspected.put(server, reason); // No correct server says so: look at that machine.
          }
        });
    ClusterStatus status = client.status();
    boolean isHealthy = status.isHealthy(); // A quorum answers, and at most b servers fail.
    // [end]
    return isHealthy ? suspected : Map.of();
  }
}
