package io.testudo.client.config;

import io.testudo.crypto.Digest;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.cluster.ClusterDescription;

/**
 * What all members of a cluster must agree on beside the cluster file.
 *
 * @param objectMode how much of what clients say about objects is sealed
 */
public record CommonSettings(LockSettings lock, Mode objectMode) {
  /** Enough digits to tell settings apart; they are no secret and nobody gains by a collision. */
  private static final int PRINT_DIGITS = 16;

  /** As a configuration says. */
  public static CommonSettings of(Settings settings) {
    return new CommonSettings(
        LockSettings.of(settings),
        settings.word("object.mode", Mode.class, Mode.SEALED_STATEMENTS));
  }

  /**
   * Refuses a cluster that is too small for what it is to tolerate.
   *
   * @throws QuorumConfigurationException with the reason
   */
  public void check(int servers, int byzantine) {
    lock.check(servers, byzantine);
    Thresholds unused = objectMode.need().thresholds(servers, byzantine);
  }

  /** As {@link #check(int, int)}, for settings that say so. */
  public void check(Settings settings, int servers, int byzantine) {
    try {
      check(servers, byzantine);
    } catch (QuorumConfigurationException e) {
      throw new ConfigurationException(
          "%s: %s; add servers, or tolerate fewer faults."
              .formatted(settings.file(), e.getMessage()),
          e);
    } catch (ConfigurationException e) {
      throw new ConfigurationException("%s: %s".formatted(settings.file(), e.getMessage()), e);
    }
  }

  /** A fingerprint of what members must agree on; the grants may differ while they change. */
  public String print(ClusterDescription cluster) {
    LockTiming timing = lock.timing();
    Digest.Builder digest =
        Digest.builder("testudo-settings")
            .add(cluster.name())
            .add(cluster.security().modeName())
            .add(cluster.byzantine());
    cluster.endpoints().forEach(endpoint -> digest.add(endpoint.toString()));
    digest
        .add(lock.backend())
        .add(lock.prefixes().toString())
        .add(lock.fenceFloors().toString())
        .add(lock.crashes())
        .add(timing.delayNanos())
        .add(Double.doubleToLongBits(timing.drift()))
        .add(timing.refreshNanos())
        .add(timing.maxHoldNanos())
        .add(timing.maxSkewMillis())
        .add(objectMode.need().modeName());
    return digest.build().toString().substring(0, PRINT_DIGITS);
  }
}
