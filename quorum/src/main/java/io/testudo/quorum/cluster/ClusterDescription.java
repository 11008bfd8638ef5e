package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.HashSet;
import java.util.Set;

/**
 * What all members of a cluster must agree on.
 *
 * @param byzantine how many of the servers may lie
 * @param endpoints where the servers listen, s0 first
 * @param epochs of the keys by which clients seal
 */
public record ClusterDescription(
    String name,
    SecurityMode security,
    int byzantine,
    ImmutableList<Endpoint> endpoints,
    Rights rights,
    KeyEpochs epochs) {

  /** With the keys of a new cluster. */
  public ClusterDescription(
      String name,
      SecurityMode security,
      int byzantine,
      ImmutableList<Endpoint> endpoints,
      Rights rights) {
    this(name, security, byzantine, endpoints, rights, KeyEpochs.FIRST);
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
  }

  /** The same but for who may do what, and the keys in use. */
  public ClusterDescription with(Rights others, KeyEpochs next) {
    return new ClusterDescription(name, security, byzantine, endpoints, others, next);
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
