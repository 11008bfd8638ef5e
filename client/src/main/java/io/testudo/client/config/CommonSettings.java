package io.testudo.client.config;

import io.testudo.crypto.Digest;
import io.testudo.crypto.SealScheme;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Access;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.cluster.ClusterDescription;

/**
 * What all members of a cluster must agree on beside the cluster file.
 *
 * @param objectMode how much of what clients say about objects is sealed
 * @param seals with what clients seal: keys that groups share, or a key of each principal
 * @param objectTurns by what the clients of an object settle who orders
 * @param objectQuorums which sets of servers count for objects
 * @param objectAccess whom clients of objects ask first
 */
public record CommonSettings(
    LockSettings lock,
    Mode objectMode,
    SealScheme seals,
    TurnsBy objectTurns,
    QuorumKind objectQuorums,
    Access objectAccess) {
  /** Enough digits to tell settings apart; they are no secret and nobody gains by a collision. */
  private static final int PRINT_DIGITS = 16;

  /** With keys that groups share, and turns by rank. */
  public CommonSettings(LockSettings lock, Mode objectMode) {
    this(lock, objectMode, SealScheme.HMAC_SHA256, TurnsBy.RANK);
  }

  /** With the usual quorums, and asking all servers. */
  public CommonSettings(LockSettings lock, Mode objectMode, SealScheme seals, TurnsBy objectTurns) {
    this(lock, objectMode, seals, objectTurns, QuorumKind.STANDARD, Access.ALL);
  }

  /** As a configuration says. */
  public static CommonSettings of(Settings settings) {
    String seals = settings.text("seals", SealScheme.HMAC_SHA256.schemeName());
    return new CommonSettings(
        LockSettings.of(settings),
        settings.word("object.mode", Mode.class, Mode.SEALED_STATEMENTS),
        SealScheme.named(seals)
            .orElseThrow(
                () -> settings.wrong("seals", "is '%s'; choose hmac or ed25519".formatted(seals))),
        settings.word("object.turns", TurnsBy.class, TurnsBy.RANK),
        settings.word("object.quorums", QuorumKind.class, QuorumKind.STANDARD),
        settings.word("object.access", Access.class, Access.ALL));
  }

  /** Refuses a cluster file that is not for the seals in use. */
  public void checkSeals(Settings settings, ClusterDescription cluster) {
    boolean hasKeys = !cluster.signingKeys().isEmpty();
    if (seals == SealScheme.ED25519 && !hasKeys) {
      throw settings.wrong(
          "seals", "is ed25519, and the cluster file has no 'signing-key'; bring that file anew");
    }
    if (seals == SealScheme.HMAC_SHA256 && hasKeys) {
      throw settings.wrong(
          "seals",
          "is hmac, and the cluster file has signing keys; write 'seals = ed25519', as the others"
              + " do");
    }
  }

  /**
   * Refuses a cluster that is too small for what it is to tolerate.
   *
   * @throws QuorumConfigurationException with the reason
   */
  public void check(int servers, int byzantine) {
    lock.check(servers, byzantine);
    if (lock.ring().isPresent()) {
      return; // A ring has locks, and no objects.
    }
    try {
      Thresholds unused = objectQuorums.thresholds(objectMode.need(), servers, byzantine);
    } catch (QuorumConfigurationException e) {
      throw because("object.quorums", objectQuorums, e);
    }
  }

  /** The same with the setting that makes it so, if it is not the usual one. */
  static QuorumConfigurationException because(
      String setting, QuorumKind quorums, QuorumConfigurationException reason) {
    if (quorums == QuorumKind.STANDARD) {
      return reason;
    }
    QuorumConfigurationException named =
        new QuorumConfigurationException(
            "%s = %s cannot be: %s".formatted(setting, quorums.word(), reason.getMessage()));
    named.initCause(reason);
    return named;
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
        .add(lock.agreed().toString())
        .add(timing.delayNanos())
        .add(Double.doubleToLongBits(timing.drift()))
        .add(timing.refreshNanos())
        .add(timing.maxHoldNanos())
        .add(timing.maxSkewMillis())
        .add(objectMode.need().modeName())
        .add(seals.schemeName())
        .add(Settings.wordOf(objectTurns))
        .add(objectQuorums.word());
    return digest.build().toString().substring(0, PRINT_DIGITS);
  }
}
