package io.testudo.quorum.protocol;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.testudo.quorum.TestudoException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the present step of a machine brings about. Nothing is done here: effects are noted, and the
 * runtime does what they say once the step is over.
 *
 * @param <P> how the machine names its peers
 */
public final class Effects<P> {
  private final List<Effect<P>> noted = new ArrayList<>();
  private @Nullable Moment now;

  Effects() {}

  void begin(Moment moment) {
    checkState(now == null, "a step was begun inside a step");
    now = moment;
  }

  List<Effect<P>> all() {
    return noted.isEmpty() ? List.of() : List.copyOf(noted);
  }

  void end() {
    noted.clear();
    now = null;
  }

  void note(Effect<P> effect) {
    checkState(now != null, "an effect was noted outside of a step");
    noted.add(effect);
  }

  /** The moment of the present step. */
  public Moment now() {
    checkState(now != null, "there is no present moment outside of a step");
    return now;
  }

  public void send(P to, Message message) {
    note(new Effect.Send<>(to, message));
  }

  public void persist(StateRecord record) {
    note(new Effect.Persist<>(record));
  }

  public void setTimer(TimerKey key, long delayNanos) {
    checkArgument(delayNanos >= 0, "the timer %s is set into the past", key);
    note(new Effect.SetTimer<>(key, delayNanos));
  }

  public void cancelTimer(TimerKey key) {
    note(new Effect.CancelTimer<>(key));
  }

  public <R> void complete(CallId<R> call, R result) {
    note(new Effect.Complete<>(call, result));
  }

  public void fail(CallId<?> call, TestudoException reason) {
    note(new Effect.Fail<>(call, reason));
  }

  public void tell(Event event) {
    note(new Effect.Tell<>(event));
  }
}
