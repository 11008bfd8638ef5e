package io.testudo.bench.reproduce;

import java.util.List;

/**
 * What one run gave.
 *
 * @param seconds of virtual time, after the warm-up
 * @param entries in that time
 * @param waitedSeconds by those who entered, in all
 * @param messages that were sent in that time
 * @param waiting who have not entered at the end
 */
record Figures(double seconds, long entries, double waitedSeconds, long messages, int waiting) {
  /** Several runs as if they were one. */
  static Figures sum(List<Figures> runs) {
    double seconds = 0;
    long entries = 0;
    double waitedSeconds = 0;
    long messages = 0;
    int waiting = 0;
    for (Figures run : runs) {
      seconds += run.seconds;
      entries += run.entries;
      waitedSeconds += run.waitedSeconds;
      messages += run.messages;
      waiting += run.waiting;
    }
    return new Figures(seconds, entries, waitedSeconds, messages, waiting);
  }

  double perSecond() {
    return entries / seconds;
  }

  double meanWaitMillis() {
    return waitedSeconds / entries * 1e3;
  }

  double messagesPerEntry() {
    return (double) messages / entries;
  }
}
