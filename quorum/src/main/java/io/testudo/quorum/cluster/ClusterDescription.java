package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.testudo.crypto.KeyId;
import io.testudo.crypto.VerifyingKey;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What all members of a cluster must agree on.
 *
 * @param byzantine how many of the servers may lie
 * @param endpoints where the servers listen, s0 first
 * @param epochs of the keys by which clients seal
 * @param signingKeys of principals, where clients seal with signatures
 */
public record ClusterDescription(
    String name,
    SecurityMode security,
    int byzantine,
    ImmutableList<Endpoint> endpoints,
    Rights rights,
    KeyEpochs epochs,
    ImmutableSortedMap<String, VerifyingKey> signingKeys) {

  /** With the keys of a new cluster, whose clients seal with keys that they share. */
  public ClusterDescription(
      String name,
      SecurityMode security,
      int byzantine,
      ImmutableList<Endpoint> endpoints,
      Rights rights) {
    this(name, security, byzantine, endpoints, rights, KeyEpochs.FIRST, ImmutableSortedMap.of());
  }

  /** Refuses a cluster in which not even a ping could tolerate that many liars. */
  public ClusterDescription {
    ClusterNames.check(name);
    Thresholds unused = Need.PING.thresholds(endpoints.size(), byzantine);
    Set<Endpoint> seen = new HashSet<>();
    for (Endpoint endpoint : endpoints) {
      // One process that answers for two servers would be counted twice.
      if (!seen.add(endpoint)) {
        throw new IllegalArgumentException(
            "Two servers listen at %s; give each its own address.".formatted(endpoint));
      }
    }
    requireOneKeyEach(rights, signingKeys);
  }

  private static void requireOneKeyEach(
      Rights rights, ImmutableSortedMap<String, VerifyingKey> signingKeys) {
    Map<KeyId, String> owners = new HashMap<>();
    signingKeys.forEach(
        (principal, key) -> {
          if (!rights.knows(principal)) {
            throw new IllegalArgumentException(
                "There is a signing key of %s, which is no principal; remove it."
                    .formatted(principal));
          }
          // Who has the key of another could speak for it.
          String other = owners.put(KeyId.of(key), principal);
          if (other != null) {
            throw new IllegalArgumentException(
                "%s and %s have the same signing key; have another made for one of them."
                    .formatted(other, principal));
          }
        });
  }

  /** The same but for who may do what, and the keys in use; keys of others are left out. */
  public ClusterDescription with(Rights others, KeyEpochs next) {
    return new ClusterDescription(
        name,
        security,
        byzantine,
        endpoints,
        others,
        next,
        ImmutableSortedMap.copyOf(Maps.filterKeys(signingKeys, others::knows)));
  }

  /** The same, whose servers listen elsewhere. */
  public ClusterDescription at(ImmutableList<Endpoint> others) {
    return new ClusterDescription(name, security, byzantine, others, rights, epochs, signingKeys);
  }

  /** The same with one more key, or another one, of a principal. */
  public ClusterDescription with(String principal, VerifyingKey key) {
    Map<String, VerifyingKey> keys = new HashMap<>(signingKeys);
    keys.put(principal, key);
    return new ClusterDescription(
        name, security, byzantine, endpoints, rights, epochs, ImmutableSortedMap.copyOf(keys));
  }

  /** Whose signatures count as seals. */
  public Signers signers() {
    return Signers.of(signingKeys, rights);
  }

  /** How many servers there are. */
  public int servers() {
    return endpoints.size();
  }

  /** Where a server listens. */
  public Endpoint endpoint(ServerId server) {
    if (server.index() >= endpoints.size()) {
      throw new IllegalArgumentException(
          "Cluster %s has %s servers and no %s; correct the id."
              .formatted(name, endpoints.size(), server));
    }
    return endpoints.get(server.index());
  }
}
