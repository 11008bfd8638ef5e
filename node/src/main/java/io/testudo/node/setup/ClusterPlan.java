package io.testudo.node.setup;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.client.config.CommonSettings;
import io.testudo.node.CommandException;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.SecurityMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a new cluster is to be.
 *
 * @param clients principals that may use all names
 */
public record ClusterPlan(
    String name,
    SecurityMode security,
    int byzantine,
    ImmutableList<Endpoint> endpoints,
    CommonSettings common,
    ImmutableSortedSet<String> clients) {
  /** The principal that may ask servers about themselves, too. */
  public static final String ADMIN = "admin";

  private static final Set<Right> OF_CLIENTS =
      EnumSet.of(Right.LOCK, Right.READ, Right.SUBMIT, Right.ORDER);

  private static final Set<Right> OF_RING_MEMBERS = EnumSet.of(Right.LOCK, Right.ADMINISTER);

  /** What a member of a ring may do: contend for all locks, and take part. */
  public static Grant ofRingMember(String principal) {
    return Grant.of(principal, OF_RING_MEMBERS, "");
  }

  private boolean isRing() {
    return common.lock().ring().isPresent();
  }

  /** What all members are told; refuses what cannot be, with the reason. */
  ClusterDescription description() {
    try {
      common.check(endpoints.size(), byzantine);
      List<Grant> grants = new ArrayList<>();
      if (isRing()) {
        for (ServerId server : ServerSet.firstN(endpoints.size())) {
          grants.add(ofRingMember(server.toString()));
        }
      }
      grants.add(Grant.of(ADMIN, EnumSet.allOf(Right.class), ""));
      for (String client : clients) {
        if (!client.equals(ADMIN)) {
          grants.add(Grant.of(client, OF_CLIENTS, ""));
        }
      }
      return new ClusterDescription(
          name, security, byzantine, endpoints, Rights.of(grants, List.of()));
    } catch (QuorumConfigurationException e) {
      throw new CommandException(
          "%s; name more servers, or tolerate fewer faults.".formatted(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
