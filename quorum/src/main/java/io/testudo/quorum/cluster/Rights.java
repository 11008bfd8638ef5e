package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Which principal may do what. Everything is forbidden that no grant allows; one grant is enough,
 * and none takes away what another gives.
 */
public final class Rights {
  /** The most principals of one cluster. */
  public static final int MAX_PRINCIPALS = 4_096;

  /** The most grants in one cluster. */
  public static final int MAX_GRANTS = 8_192;

  /** The most grants of one principal: each may be looked at for each message. */
  public static final int MAX_GRANTS_EACH = 256;

  /**
   * What the names of those locks begin with by which orderers of objects take turns. Whoever may
   * order an object may contend for its lock.
   */
  public static final String OBJECT_LOCKS = "object:";

  private final ImmutableSortedSet<String> principals;
  private final ImmutableListMultimap<String, Grant> grants;

  private Rights(
      ImmutableSortedSet<String> principals, ImmutableListMultimap<String, Grant> grants) {
    this.principals = principals;
    this.grants = grants;
  }

  /**
   * Rights from these grants.
   *
   * @param withoutGrants principals that are known but have no grant
   */
  public static Rights of(Collection<Grant> grants, Collection<String> withoutGrants) {
    ImmutableSortedSet.Builder<String> principals = ImmutableSortedSet.naturalOrder();
    for (String principal : withoutGrants) {
      principals.add(new ClientId(principal, 0, 0).principal());
    }
    ImmutableListMultimap.Builder<String, Grant> byPrincipal = ImmutableListMultimap.builder();
    for (Grant grant : grants) {
      principals.add(grant.principal());
      byPrincipal.put(grant.principal(), grant);
    }
    Rights rights = new Rights(principals.build(), byPrincipal.build());
    rights.requireWithinLimits();
    return rights;
  }

  private void requireWithinLimits() {
    requireAtMost(MAX_PRINCIPALS, principals.size(), "principals");
    requireAtMost(MAX_GRANTS, grants.size(), "grants");
    for (String principal : grants.keySet()) {
      requireAtMost(MAX_GRANTS_EACH, grants.get(principal).size(), "grants of one principal");
    }
  }

  private static void requireAtMost(int most, int count, String what) {
    if (count > most) {
      throw new IllegalArgumentException(
          "A cluster has at most %s %s, %s were given; use shorter prefixes or fewer of them."
              .formatted(most, what, count));
    }
  }

  /** Whether this principal may do this to this name. */
  public boolean allows(String principal, Right right, String name) {
    // Not a stream: this is asked for every message.
    for (Grant grant : grants.get(principal)) {
      if (grant.allows(right, name)) {
        return true;
      }
    }
    return right == Right.LOCK
        && name.startsWith(OBJECT_LOCKS)
        && allows(principal, Right.ORDER, name.substring(OBJECT_LOCKS.length()));
  }

  /** Whether this principal may do anything at all. */
  public boolean allowsAnything(String principal) {
    return !grants.get(principal).isEmpty();
  }

  /** Whether the cluster knows this principal, with rights or without. */
  public boolean knows(String principal) {
    return principals.contains(principal);
  }

  /** All known principals, in order. */
  public ImmutableSortedSet<String> principals() {
    return principals;
  }

  /** The grants of a principal, as they were given. */
  public ImmutableList<Grant> grantsOf(String principal) {
    return grants.get(principal);
  }

  /**
   * The prefixes whose group keys a principal needs for a purpose: those of its own grants, and
   * those that lie within them and that others have, so that it can check the others' seals.
   */
  public ImmutableSortedSet<String> groupsOf(String principal, KeyPurpose purpose) {
    ImmutableSortedSet.Builder<String> groups = ImmutableSortedSet.naturalOrder();
    for (Grant own : grants.get(principal)) {
      if (purpose.isOf(own)) {
        for (Grant any : grants.values()) {
          if (purpose.isOf(any) && any.prefix().startsWith(own.prefix())) {
            groups.add(any.prefix());
          }
        }
      }
    }
    return groups.build();
  }

  /**
   * Whether a principal with keys of these epochs can seal and check all that it has to, where
   * those are in use: for purposes of which it has no keys it does not matter.
   */
  public boolean takesKeys(String principal, KeyEpochs keys, KeyEpochs inUse) {
    if (keys.isAtLeast(inUse)) {
      return true; // Newer ones than ours are brought to clients before all servers know of them.
    }
    for (KeyPurpose purpose : KeyPurpose.values()) {
      if (keys.of(purpose) < inUse.of(purpose)
          && grants.get(principal).stream().anyMatch(purpose::isOf)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Rights rights
        && principals.equals(rights.principals)
        && grants.equals(rights.grants);
  }

  @Override
  public int hashCode() {
    return 31 * principals.hashCode() + grants.hashCode();
  }

  @Override
  public String toString() {
    return "Rights(%s principals, %s grants)".formatted(principals.size(), grants.size());
  }
}
