package io.testudo.mutex.lease;

import io.testudo.quorum.protocol.Effects;
import io.testudo.quorum.protocol.TimerKey;

/**
 * The one timer of a lock or of a call for one: it is set for whatever comes next. One that is set
 * early may stay, since whoever hears it looks what is due.
 *
 * @param <P> how the machine names its peers
 */
public final class DueTimer<P> {
  private final Effects<P> effects;
  private final TimerKey key;
  private boolean isSet;
  private long setForNanos;

  public DueTimer(Effects<P> effects, TimerKey key) {
    this.effects = effects;
    this.key = key;
  }

  /** Lets it ring at this moment or before. */
  public void ringBy(long dueNanos) {
    if (!isSet || dueNanos - setForNanos < 0) {
      isSet = true;
      setForNanos = dueNanos;
      effects.setTimer(key, Math.max(0, dueNanos - effects.now().nanos()));
    }
  }

  /** It rings now. */
  public void rings() {
    isSet = false;
  }

  public void cancel() {
    if (isSet) {
      isSet = false;
      effects.cancelTimer(key);
    }
  }
}
