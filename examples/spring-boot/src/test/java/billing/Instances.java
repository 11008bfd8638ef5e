package billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.testudo.client.TestudoClient;
import io.testudo.quorum.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Two instances of the application, and what has to be so of them. */
final class Instances implements AutoCloseable {
  /** A hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 120;

  private static final int RUNS = 6;
  private static final int BOOKINGS = 10;

  private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

  /** With a client that the test has made. */
  void start(TestudoClient client) {
    run(
        builder ->
            builder.initializers(
                context ->
                    ((GenericApplicationContext) context)
                        .registerBean(TestudoClient.class, () -> client)));
  }

  /** With a client by properties. */
  void start(String... properties) {
    run(builder -> builder.properties(properties));
  }

  private interface Change {
    SpringApplicationBuilder to(SpringApplicationBuilder builder);
  }

  private void run(Change change) {
    SpringApplicationBuilder builder =
        new SpringApplicationBuilder(BillingApplication.class)
            .web(WebApplicationType.NONE)
            .properties(
                "billing.delay=20ms",
                "billing.at-least=0ms",
                "spring.main.banner-mode=off",
                "spring.jmx.enabled=false",
                "logging.level.root=WARN");
    contexts.add(change.to(builder).run());
  }

  private <T> T bean(int instance, Class<T> type) {
    return contexts.get(instance).getBean(type);
  }

  void check() throws Exception {
    runTheJobInTurn();
    bookWithoutLosingAny();
    for (int instance = 0; instance < contexts.size(); instance++) {
      assertThat(bean(instance, HealthEndpoint.class).health().getStatus()).isEqualTo(Status.UP);
      assertThat(
              bean(instance, MeterRegistry.class)
                  .get("testudo.lock.acquire")
                  .tag("outcome", "acquired")
                  .timers())
          .isNotEmpty();
    }
    followALeaderThatEnds();
  }

  /** Runs that overlapped, or came too late, would note a token behind a larger one. */
  private void runTheJobInTurn() throws InterruptedException {
    TestudoClient testudo = bean(0, TestudoClient.class);
    await("runs of the job", () -> testudo.log("billing/runs").next().join() >= RUNS);
    List<Long> tokens =
        testudo.log("billing/runs").read(0, RUNS).join().stream()
            .map(Bytes::toText)
            .map(Long::parseLong)
            .toList();
    assertThat(tokens).hasSize(RUNS).isSorted().doesNotHaveDuplicates();
  }

  private void bookWithoutLosingAny() throws Exception {
    List<CompletableFuture<Void>> bookings = new ArrayList<>();
    for (int instance = 0; instance < contexts.size(); instance++) {
      CustomerBalances balances = bean(instance, CustomerBalances.class);
      bookings.add(CompletableFuture.runAsync(() -> book(balances)));
    }
    for (CompletableFuture<Void> booking : bookings) {
      booking.get(GUARD_SECONDS, TimeUnit.SECONDS);
    }
    assertThat(bean(0, CustomerBalances.class).book("alice", 0))
        .isEqualTo(5L * BOOKINGS * contexts.size());
  }

  private static void book(CustomerBalances balances) {
    try {
      for (int booking = 0; booking < BOOKINGS; booking++) {
        balances.book("alice", 5);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void followALeaderThatEnds() throws InterruptedException {
    Leader first = bean(0, Leader.class);
    Leader second = bean(1, Leader.class);
    await("a leader", () -> first.term().isPresent() || second.term().isPresent());
    int leads = first.term().isPresent() ? 0 : 1;
    assertThat(bean(1 - leads, Leader.class).term()).isEmpty();
    long term = bean(leads, Leader.class).term().orElseThrow();
    Leader next = bean(1 - leads, Leader.class);
    contexts.get(leads).close();
    await("the next leader", () -> next.term().isPresent());
    assertThat(next.term().orElseThrow()).isGreaterThan(term);
  }

  static void await(String what, Callable<Boolean> condition) throws InterruptedException {
    long startNanos = System.nanoTime();
    try {
      while (!condition.call()) {
        if (System.nanoTime() - startNanos > TimeUnit.SECONDS.toNanos(GUARD_SECONDS)) {
          throw new AssertionError("did not happen: " + what);
        }
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(what, e);
    }
  }

  @Override
  public void close() {
    contexts.forEach(ConfigurableApplicationContext::close);
  }
}
