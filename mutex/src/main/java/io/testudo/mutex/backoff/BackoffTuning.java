package io.testudo.mutex.backoff;

import java.time.Duration;

/**
 * What of the paper's section on improvements is in force. The standard is all of it; the switches
 * are there to measure what each is worth. None of them costs exclusion: that late grants are
 * discarded (improvement 3) is no choice.
 *
 * @param waitingList whether servers remember those they denied and call them (improvement 2)
 * @param holdPerCall whether each call has a hold of its own (improvement 4), else all have the
 *     longest
 * @param paperUnit whether the sleep is measured in hold + 2 delta as in the paper, else in what
 *     this client has seen of holds and delays
 * @param longestSleepNanos no sleep is longer, whatever the law says
 */
public record BackoffTuning(
    boolean waitingList,
    boolean holdPerCall,
    boolean paperUnit,
    BackoffLaw law,
    long longestSleepNanos) {

  public static BackoffTuning standard() {
    return new BackoffTuning(
        true, true, false, BackoffLaw.exponential(), Duration.ofSeconds(10).toNanos());
  }

  /** The protocol of the paper before its improvements, but for one: it is safe. */
  public static BackoffTuning plain() {
    return new BackoffTuning(
        false, true, true, BackoffLaw.exponential(), Duration.ofDays(1).toNanos());
  }

  public BackoffTuning withWaitingList(boolean on) {
    return new BackoffTuning(on, holdPerCall, paperUnit, law, longestSleepNanos);
  }

  public BackoffTuning withHoldPerCall(boolean on) {
    return new BackoffTuning(waitingList, on, paperUnit, law, longestSleepNanos);
  }

  public BackoffTuning withPaperUnit(boolean on) {
    return new BackoffTuning(waitingList, holdPerCall, on, law, longestSleepNanos);
  }

  public BackoffTuning withLongestSleep(Duration longest) {
    return new BackoffTuning(waitingList, holdPerCall, paperUnit, law, longest.toNanos());
  }

  public BackoffTuning withLaw(BackoffLaw other) {
    return new BackoffTuning(waitingList, holdPerCall, paperUnit, other, longestSleepNanos);
  }
}
