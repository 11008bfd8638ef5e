package io.testudo.bench.reproduce;

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
