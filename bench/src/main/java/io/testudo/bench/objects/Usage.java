package io.testudo.bench.objects;

import io.testudo.quorum.netty.Traffic;

/**
 * What operations have cost the network, both ways.
 *
 * @param operations all that were done, warm-up included
 */
record Usage(long operations, Traffic traffic) {
  static final Usage NONE = new Usage(0, new Traffic(0, 0, 0));

  double messagesPerOperation() {
    return per(traffic.messages());
  }

  double framesPerOperation() {
    return per(traffic.frames());
  }

  double bytesPerOperation() {
    return per(traffic.bytes());
  }

  private double per(long amount) {
    return operations == 0 ? 0 : (double) amount / operations;
  }
}
