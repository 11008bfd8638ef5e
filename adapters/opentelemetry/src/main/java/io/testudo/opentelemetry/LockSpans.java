package io.testudo.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.testudo.client.ClientListener;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockObserver;
import io.testudo.quorum.TestudoException;
import org.jspecify.annotations.Nullable;

/**
 * Spans of a client's locks, as children of the span in which a lock is asked for: one for the
 * wait, {@code testudo.lock acquire}, and one for the hold, {@code testudo.lock hold}. A wait that
 * failed and a lease that was lost are errors; one that was withdrawn is not.
 *
 * <pre>{@code
 * TestudoClient.Registration spans = client.listen(LockSpans.of(openTelemetry));
 * }</pre>
 */
public final class LockSpans implements ClientListener {
  /** The name of the lock. */
  public static final AttributeKey<String> LOCK = AttributeKey.stringKey("testudo.lock.name");

  /** Of a lock that was acquired, where there is fencing. */
  public static final AttributeKey<Long> TOKEN = AttributeKey.longKey("testudo.lock.fencing_token");

  /** How it ended: acquired, failed, withdrawn; released, lost. */
  public static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("testudo.lock.outcome");

  private final Tracer tracer;

  private LockSpans(Tracer tracer) {
    this.tracer = tracer;
  }

  /** Spans of a tracer of the name {@code io.testudo}. */
  public static LockSpans of(OpenTelemetry telemetry) {
    return new LockSpans(telemetry.getTracer("io.testudo"));
  }

  @Override
  public LockObserver requested(String lock) {
    return new Request(lock, Context.current());
  }

  private final class Request implements LockObserver {
    private final String lock;
    private final Context parent;
    private final Span wait;
    private volatile @Nullable Span hold;

    Request(String lock, Context parent) {
      this.lock = lock;
      this.parent = parent;
      this.wait = start("testudo.lock acquire", SpanKind.CLIENT);
    }

    private Span start(String name, SpanKind kind) {
      return tracer
          .spanBuilder(name)
          .setParent(parent)
          .setSpanKind(kind)
          .setAttribute(LOCK, lock)
          .startSpan();
    }

    @Override
    public void acquired(Lease lease) {
      Span begun = start("testudo.lock hold", SpanKind.INTERNAL);
      if (lease.hasFencingToken()) {
        wait.setAttribute(TOKEN, lease.fencingToken());
        begun.setAttribute(TOKEN, lease.fencingToken());
      }
      hold = begun;
      end(wait, "acquired");
    }

    @Override
    public void notAcquired(TestudoException reason) {
      wait.recordException(reason);
      wait.setStatus(StatusCode.ERROR);
      end(wait, "failed");
    }

    @Override
    public void withdrawn() {
      end(wait, "withdrawn");
    }

    @Override
    public void released() {
      end(hold, "released");
    }

    @Override
    public void lost() {
      Span held = hold;
      if (held != null) {
        held.setStatus(StatusCode.ERROR, "the lease ended before it was given back");
        end(held, "lost");
      }
    }

    private void end(@Nullable Span span, String outcome) {
      if (span != null) {
        span.setAttribute(OUTCOME, outcome);
        span.end();
      }
    }
  }
}
