package io.testudo.client.cluster;

import com.google.common.collect.ImmutableList;
import io.testudo.client.config.ClientConfig;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClusterDescription;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a client's configuration has changed, of which all can change while it runs.
 *
 * @param taken in words
 * @param credentials whether what the client shows or seals with is among it
 * @param seals whether whose seals count is among it: that is a matter of keys and of rights
 */
record ConfigChange(ImmutableList<String> taken, boolean credentials, boolean seals) {
  /**
   * Compares two, whether their keys were read or not.
   *
   * @throws ConfigurationException if something has changed that needs another client, with all of
   *     that
   */
  static void requirePossible(ClientConfig before, ClientConfig after) {
    ClusterDescription was = before.cluster();
    ClusterDescription is = after.cluster();
    List<String> refused = new ArrayList<>();
    refuse(refused, "the principal", before.principal(), after.principal());
    refuse(refused, "the name of the cluster", was.name(), is.name());
    refuse(refused, "the security", was.security().modeName(), is.security().modeName());
    refuse(refused, "b", was.byzantine(), is.byzantine());
    refuse(
        refused,
        "seals",
        before.common().seals().schemeName(),
        after.common().seals().schemeName());
    if (!before.isRing()) { // The servers of a ring are where it is entered.
      refuse(refused, "the number of servers", was.servers(), is.servers());
    }
    if (refused.isEmpty() && !before.common().equals(after.common())) {
      refused.add("what all members agree on of locks and objects");
    }
    if (!refused.isEmpty()) {
      throw new ConfigurationException(
          "%s: %s cannot change while a client runs; restart it, or undo the change."
              .formatted(after.file(), String.join(", ", refused)));
    }
  }

  private static void refuse(List<String> refused, String what, Object was, Object is) {
    if (!was.equals(is)) {
      refused.add("%s (%s, now %s)".formatted(what, was, is));
    }
  }

  /** Compares two that differ in nothing else. */
  static ConfigChange between(ClientConfig before, ClientConfig after) {
    ClusterDescription was = before.cluster();
    ClusterDescription is = after.cluster();
    ImmutableList.Builder<String> taken = ImmutableList.builder();
    if (before.isRing()) {
      if (!was.endpoints().equals(is.endpoints())) {
        taken.add("where the ring is entered");
      }
    } else {
      for (int index = 0; index < is.servers(); index++) {
        ServerId server = new ServerId(index);
        if (!was.endpoint(server).equals(is.endpoint(server))) {
          taken.add("the address of %s (%s)".formatted(server, is.endpoint(server)));
        }
      }
    }
    boolean hasOtherKeys =
        !before.credentials().print().equals(after.credentials().print())
            || !was.epochs().equals(is.epochs())
            || !was.signingKeys().equals(is.signingKeys());
    if (hasOtherKeys) {
      taken.add("keys");
    }
    boolean hasOtherRights = !was.rights().equals(is.rights());
    if (hasOtherRights) {
      taken.add("rights");
    }
    return new ConfigChange(taken.build(), hasOtherKeys, hasOtherKeys || hasOtherRights);
  }
}
