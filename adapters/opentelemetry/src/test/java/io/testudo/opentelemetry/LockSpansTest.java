package io.testudo.opentelemetry;

import static io.opentelemetry.sdk.testing.assertj.OpenTelemetryAssertions.assertThat;
import static io.opentelemetry.sdk.testing.assertj.OpenTelemetryAssertions.equalTo;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.junit.TestudoClusterExtension;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With OpenTelemetry's own extension for tests. */
class LockSpansTest {
  /** A hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 60;

  @RegisterExtension
  private static final TestudoClusterExtension CLUSTER = TestudoClusterExtension.of(4, 1);

  @RegisterExtension
  private static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

  private TestudoClient client;

  @BeforeEach
  void listen(TestudoClient connected) {
    client = connected;
    TestudoClient.Registration unused = client.listen(LockSpans.of(TELEMETRY.getOpenTelemetry()));
  }

  @Test
  void aWaitAndAHoldAreChildrenOfTheCallersSpan() throws Exception {
    Span request =
        TELEMETRY.getOpenTelemetry().getTracer("test").spanBuilder("request").startSpan();
    long token;
    try (Scope scope = request.makeCurrent();
        Lease lease = client.lock("orders").acquire()) {
      token = lease.fencingToken();
    }
    request.end();
    TELEMETRY
        .assertTraces()
        .hasTracesSatisfyingExactly(
            trace ->
                trace.hasSpansSatisfyingExactlyInAnyOrder(
                    span -> span.hasName("request"),
                    span ->
                        span.hasName("testudo.lock acquire")
                            .hasKind(SpanKind.CLIENT)
                            .hasParentSpanId(request.getSpanContext().getSpanId())
                            .hasAttributesSatisfyingExactly(
                                equalTo(LockSpans.LOCK, "orders"),
                                equalTo(LockSpans.TOKEN, token),
                                equalTo(LockSpans.OUTCOME, "acquired")),
                    span ->
                        span.hasName("testudo.lock hold")
                            .hasParentSpanId(request.getSpanContext().getSpanId())
                            .hasAttributesSatisfyingExactly(
                                equalTo(LockSpans.LOCK, "orders"),
                                equalTo(LockSpans.TOKEN, token),
                                equalTo(LockSpans.OUTCOME, "released"))));
  }

  @Test
  void aLossIsAnError() throws Exception {
    CountDownLatch lost = new CountDownLatch(1);
    client
        .lock("brief", LockOptions.standard().withHold(Duration.ofMillis(20)).withoutAutoRenewal())
        .acquire()
        .onLost(lost::countDown);
    assertThat(lost.await(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(TELEMETRY.getSpans())
        .filteredOn(span -> span.getName().equals("testudo.lock hold"))
        .singleElement()
        .satisfies(
            span ->
                assertThat(span)
                    .hasStatus(
                        StatusData.create(
                            StatusCode.ERROR, "the lease ended before it was given back"))
                    .hasAttribute(LockSpans.OUTCOME, "lost"));
  }

  @Test
  void aWaitInVainIsAnError(TestudoCluster cluster) throws Exception {
    try (TestudoClient other = cluster.client();
        Lease theirs = other.lock("busy").acquire()) {
      assertThat(client.lock("busy").tryAcquire()).isEmpty();
    }
    assertThat(TELEMETRY.getSpans())
        .singleElement()
        .satisfies(
            span ->
                assertThat(span)
                    .hasName("testudo.lock acquire")
                    .hasStatus(StatusData.error())
                    .hasAttribute(LockSpans.OUTCOME, "failed"));
  }
}
