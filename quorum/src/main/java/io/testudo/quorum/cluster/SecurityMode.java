package io.testudo.quorum.cluster;

import java.util.Locale;
import java.util.Optional;

/** How the two ends of a connection prove who they are. All of a cluster use one mode. */
public enum SecurityMode {
  /** Keys shared by each server and principal; every frame carries a code. */
  HMAC,
  /** Mutual TLS 1.3 with certificates of the cluster's own authority. */
  TLS,
  /** Nothing is proven. For tests, on loopback addresses only. */
  OPEN;

  /** The name by which people configure it, such as {@code hmac}. */
  public String modeName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<SecurityMode> named(String name) {
    for (SecurityMode mode : values()) {
      if (mode.modeName().equals(name)) {
        return Optional.of(mode);
      }
    }
    return Optional.empty();
  }
}
