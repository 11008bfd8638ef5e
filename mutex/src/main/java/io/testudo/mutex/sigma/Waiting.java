package io.testudo.mutex.sigma;

import io.testudo.mutex.protocol.Contender;
import java.util.Comparator;

/**
 * One in the queue of a server.
 *
 * @param time of its request
 * @param leaseNanos what its newest message asked for
 * @param number of that message
 * @param heardNanos when that came
 */
record Waiting(Contender contender, long time, long leaseNanos, long number, long heardNanos) {
  /** The order of requests, (t, client). */
  static final Comparator<Waiting> ORDER =
      Comparator.comparingLong(Waiting::time).thenComparing(Waiting::contender);
}
