package io.testudo.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.testudo.client.ClientListener;
import io.testudo.client.TestudoClient;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockObserver;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.TestudoException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Meters of a client. None has the name of a lock as a tag: there may be any number of those.
 *
 * <table>
 * <caption>The meters</caption>
 * <tr><td>{@code testudo.lock.acquire}</td><td>timer: from the request to its end, by {@code
 * outcome}: acquired, busy, no-quorum, withdrawn, failed</td></tr>
 * <tr><td>{@code testudo.lock.hold}</td><td>timer: from entry to the end of the lease, by {@code
 * end}: released, lost</td></tr>
 * <tr><td>{@code testudo.lock.waiters}</td><td>gauge: requests under way</td></tr>
 * <tr><td>{@code testudo.lock.held}</td><td>gauge: leases held</td></tr>
 * <tr><td>{@code testudo.lock.retries}</td><td>counter: denials after which a waiter asks
 * anew</td></tr>
 * <tr><td>{@code testudo.server.suspicions}</td><td>counter: what no correct server says, by {@code
 * server}</td></tr>
 * </table>
 */
public final class TestudoMeters implements MeterBinder, AutoCloseable {
  private static final String ACQUIRE = "testudo.lock.acquire";
  private static final String HOLD = "testudo.lock.hold";

  private final TestudoClient client;
  private final Tags tags;
  private final List<TestudoClient.Registration> registrations = new CopyOnWriteArrayList<>();

  /**
   * Meters that are there when they are bound.
   *
   * @param tags on each of them
   */
  public TestudoMeters(TestudoClient client, Iterable<Tag> tags) {
    this.client = client;
    this.tags = Tags.of(tags);
  }

  /** Meters with the principal as their only common tag. */
  public TestudoMeters(TestudoClient client) {
    this(client, Tags.of("principal", client.principal()));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    registrations.add(client.listen(new Meters(registry)));
  }

  /** Meters stay as they are from now on. */
  @Override
  public void close() {
    registrations.forEach(TestudoClient.Registration::close);
    registrations.clear();
  }

  private final class Meters implements ClientListener {
    private final MeterRegistry registry;
    private final AtomicInteger waiters = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private final Counter retries;
    private final Timer released;
    private final Timer lost;

    Meters(MeterRegistry registry) {
      this.registry = registry;
      Gauge.builder("testudo.lock.waiters", waiters, AtomicInteger::get)
          .description("Requests for locks that are under way")
          .tags(tags)
          .strongReference(true)
          .register(registry);
      Gauge.builder("testudo.lock.held", held, AtomicInteger::get)
          .description("Leases that are held")
          .tags(tags)
          .strongReference(true)
          .register(registry);
      retries =
          Counter.builder("testudo.lock.retries")
              .description("Denials after which a waiter asks anew")
              .tags(tags)
              .register(registry);
      released = hold("released");
      lost = hold("lost");
    }

    private Timer hold(String end) {
      return Timer.builder(HOLD)
          .description("From entry to the end of the lease")
          .tags(tags)
          .tag("end", end)
          .register(registry);
    }

    private void ended(Timer.Sample wait, String outcome) {
      waiters.decrementAndGet();
      wait.stop(
          Timer.builder(ACQUIRE)
              .description("From the request for a lock to its end")
              .tags(tags)
              .tag("outcome", outcome)
              .register(registry));
    }

    @Override
    public LockObserver requested(String lock) {
      waiters.incrementAndGet();
      return new Request(this, Timer.start(registry));
    }

    @Override
    public void retried(String lock) {
      retries.increment();
    }

    @Override
    public void suspected(String server, String reason) {
      Counter.builder("testudo.server.suspicions")
          .description("How often a server said what no correct server says")
          .tags(tags)
          .tag("server", server)
          .register(registry)
          .increment();
    }
  }

  private static final class Request implements LockObserver {
    private final Meters meters;
    private final Timer.Sample wait;

    /** Begun when it is acquired; what follows comes later, whatever the thread. */
    private volatile Timer.Sample hold;

    Request(Meters meters, Timer.Sample wait) {
      this.meters = meters;
      this.wait = wait;
      this.hold = wait;
    }

    @Override
    public void acquired(Lease lease) {
      meters.ended(wait, "acquired");
      meters.held.incrementAndGet();
      hold = Timer.start(meters.registry);
    }

    @Override
    public void notAcquired(TestudoException reason) {
      meters.ended(wait, outcome(reason));
    }

    private static String outcome(TestudoException reason) {
      if (reason instanceof NotAcquiredException) {
        return "busy";
      }
      return reason instanceof NoQuorumException ? "no-quorum" : "failed";
    }

    @Override
    public void withdrawn() {
      meters.ended(wait, "withdrawn");
    }

    @Override
    public void released() {
      meters.held.decrementAndGet();
      hold.stop(meters.released);
    }

    @Override
    public void lost() {
      meters.held.decrementAndGet();
      hold.stop(meters.lost);
    }
  }
}
