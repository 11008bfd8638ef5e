package io.testudo.mutex.protocol;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealKind;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Seals with the keys that the clients of a name prefix share. The longest prefix wins. */
public final class GroupRankSeals implements RankSeals {
  private final String cluster;
  private final ImmutableSortedMap<String, Group> groups;

  private record Group(Sealer sealer, SealVerifier verifier) {}

  private GroupRankSeals(String cluster, ImmutableSortedMap<String, Group> groups) {
    this.cluster = cluster;
    this.groups = groups;
  }

  /** With a principal's keys to seal ranks of locks, by name prefix. */
  public static RankSeals of(String cluster, Map<String, SecretBytes> groupKeys) {
    if (groupKeys.isEmpty()) {
      return RankSeals.none();
    }
    ImmutableSortedMap.Builder<String, Group> groups =
        ImmutableSortedMap.orderedBy(
            Comparator.comparingInt(String::length).reversed().thenComparing(naturalOrder()));
    groupKeys.forEach(
        (prefix, key) ->
            groups.put(prefix, new Group(Sealer.hmac(key), SealVerifier.hmac(List.of(key)))));
    return new GroupRankSeals(cluster, groups.buildOrThrow());
  }

  private static Comparator<String> naturalOrder() {
    return Comparator.naturalOrder();
  }

  @Override
  public Optional<Seal> seal(String lock, long time, long session) {
    Group group = groupOf(lock);
    return group == null
        ? Optional.empty()
        : Optional.of(group.sealer().seal(context(lock), body(time, session)));
  }

  @Override
  public Verdict check(String lock, SealedRank rank) {
    Group group = groupOf(lock);
    if (group == null || rank.seal().isEmpty()) {
      return Verdict.UNKNOWN;
    }
    if (!group.verifier().knows(context(lock), rank.seal().get())) {
      return Verdict.UNKNOWN; // Perhaps of a key that is no longer in use.
    }
    boolean valid =
        group
            .verifier()
            .verify(context(lock), body(rank.time(), rank.session()), rank.seal().get());
    return valid ? Verdict.VALID : Verdict.FORGED;
  }

  private @Nullable Group groupOf(String lock) {
    for (Map.Entry<String, Group> group : groups.entrySet()) {
      if (lock.startsWith(group.getKey())) {
        return group.getValue();
      }
    }
    return null;
  }

  private SealContext context(String lock) {
    return new SealContext(SealKind.RANK, cluster, lock);
  }

  private static byte[] body(long time, long session) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(time).putLong(session).array();
  }
}
