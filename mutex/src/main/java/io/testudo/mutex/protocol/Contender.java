package io.testudo.mutex.protocol;

import io.testudo.quorum.ClientId;
import java.util.Comparator;

/**
 * One who contends for a lock, as a server knows it. The order is total but means nothing.
 *
 * @param number tells the contenders of one process apart
 */
public record Contender(ClientId client, long number) implements Comparable<Contender> {
  private static final Comparator<Contender> ORDER =
      Comparator.comparing(Contender::client).thenComparingLong(Contender::number);

  /** As others are told of it. */
  public LockView.User user() {
    return new LockView.User(client, number);
  }

  @Override
  public int compareTo(Contender other) {
    return ORDER.compare(this, other);
  }
}
