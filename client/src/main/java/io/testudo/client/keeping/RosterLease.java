package io.testudo.client.keeping;

import io.testudo.client.roster.Standing;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.client.TimedLease;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.Moment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** What a member of a roster holds. */
final class RosterLease extends TimedLease {
  private final RosterRequest request;
  private final String name;
  private final long fence;
  private final Duration hold;

  RosterLease(RosterRequest request, String name, long fence, Duration hold, Term term) {
    super(term);
    this.request = request;
    this.name = name;
    this.fence = fence;
    this.hold = hold;
  }

  @Override
  public String lockName() {
    return name;
  }

  @Override
  public long fencingToken() {
    return fence;
  }

  @Override
  public boolean hasFencingToken() {
    return true;
  }

  @Override
  protected Moment now() {
    return request.around().now();
  }

  @Override
  protected Executor callbacks() {
    return request.around().callbacks();
  }

  @Override
  public void renew() {
    renew(hold);
  }

  @Override
  public void renew(Duration longer) {
    Blocking.uninterruptibly(renewAsync(longer));
  }

  @Override
  public CompletableFuture<Void> renewAsync(Duration longer) {
    Duration checked = LockOptions.standard().withHold(longer).hold();
    if (!isHeld()) {
      return CompletableFuture.failedFuture(new LeaseLostException(name));
    }
    return request
        .renew(checked)
        .thenApply(
            standing -> {
              if (standing.kind() != Standing.Kind.HELD) {
                throw new LeaseLostException(name);
              }
              return null;
            });
  }

  /** The lease lasts longer. */
  void extend(Term renewed) {
    term = renewed;
  }

  @Override
  protected void giveBack() {
    CompletableFuture<Standing> unused = request.withdraw();
  }

  @Override
  public String toString() {
    return "Lease(%s, token %d, %s)".formatted(name, fence, state());
  }
}
