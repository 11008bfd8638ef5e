package io.testudo.mutex.dht;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/** Where the logical replicas of a lock are. */
public final class ReplicaKeys {
  private ReplicaKeys() {}

  /**
   * The key whose owner is a logical replica of a lock.
   *
   * @param index from 0; the papers count from 1, and so does what is hashed
   */
  public static long of(String lock, int index) {
    return Hashing.sha256().hashString(lock + ":" + (index + 1), StandardCharsets.UTF_8).asLong();
  }
}
