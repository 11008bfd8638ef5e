package io.testudo.ordering.access;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.testudo.crypto.KeyId;
import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealKind;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.crypto.SigningKey;
import io.testudo.crypto.VerifyingKey;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.cluster.Rights;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a client seals what it says of objects, and checks what others said.
 *
 * <ul>
 *   <li>{@link #group}: with keys that all who submit, or all who order, share for a name prefix,
 *       and no server has. Fast. Who can check can also seal, so only orderers check what orderers
 *       say; others believe what more servers show than can lie.
 *   <li>{@link #signatures}: with a key pair of each principal. Anyone can check, and a seal counts
 *       only if its principal has the right to what it says. Slower by some hundred microseconds
 *       for each seal.
 * </ul>
 */
public final class ObjectSeals {
  private final OrderSeals seals;

  private ObjectSeals(OrderSeals seals) {
    this.seals = seals;
  }

  /** For the mode in which nothing is sealed. */
  public static ObjectSeals none() {
    return new ObjectSeals(OrderSeals.none());
  }

  /** Seals with the group keys that a principal has been given. */
  public static ObjectSeals group(ClientKeyring keys) {
    return group(
        keys.cluster(), keys.groupKeys(KeyPurpose.SUBMIT), keys.groupKeys(KeyPurpose.ORDER));
  }

  /** Seals with keys that are shared by all who submit or order, by name prefix. */
  public static ObjectSeals group(String cluster, Map<String, SecretBytes> groupKeys) {
    return group(cluster, groupKeys, groupKeys);
  }

  private static ObjectSeals group(
      String cluster, Map<String, SecretBytes> toSubmit, Map<String, SecretBytes> toOrder) {
    GroupSeals seals = new GroupSeals(groups(toSubmit), groups(toOrder));
    return new ObjectSeals(
        OrderSeals.of(
            cluster, seals, seals, (kind, name) -> seals.groupOf(kind, name).isPresent()));
  }

  private record Group(Sealer sealer, SealVerifier verifier) {}

  private static final Comparator<String> LONGEST_FIRST =
      Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());

  private static ImmutableSortedMap<String, Group> groups(Map<String, SecretBytes> keys) {
    ImmutableSortedMap.Builder<String, Group> groups = ImmutableSortedMap.orderedBy(LONGEST_FIRST);
    keys.forEach(
        (prefix, key) ->
            groups.put(prefix, new Group(Sealer.hmac(key), SealVerifier.hmac(List.of(key)))));
    return groups.buildOrThrow();
  }

  /** By what a statement says it is known which key has to seal it: the longest prefix counts. */
  private record GroupSeals(
      ImmutableSortedMap<String, Group> toSubmit, ImmutableSortedMap<String, Group> toOrder)
      implements Sealer, SealVerifier {
    Optional<Group> groupOf(SealKind kind, String name) {
      return groupOf(kind == SealKind.OP ? toSubmit : toOrder, name);
    }

    private static Optional<Group> groupOf(
        ImmutableSortedMap<String, Group> byPrefix, String name) {
      for (Map.Entry<String, Group> group : byPrefix.entrySet()) {
        if (name.startsWith(group.getKey())) {
          return Optional.of(group.getValue());
        }
      }
      // The lock by which orderers take turns is named after the object.
      return name.startsWith(Rights.OBJECT_LOCKS)
          ? groupOf(byPrefix, name.substring(Rights.OBJECT_LOCKS.length()))
          : Optional.empty();
    }

    @Override
    public Seal seal(SealContext context, byte[] body) {
      return groupOf(context.kind(), context.name()).orElseThrow().sealer().seal(context, body);
    }

    @Override
    public boolean verify(SealContext context, byte[] body, Seal seal) {
      return groupOf(context.kind(), context.name())
          .map(group -> group.verifier().verify(context, body, seal))
          .orElse(false);
    }

    @Override
    public boolean knows(SealContext context, Seal seal) {
      return groupOf(context.kind(), context.name())
          .map(group -> group.verifier().knows(context, seal))
          .orElse(false);
    }
  }

  /**
   * Seals with signatures.
   *
   * @param own the key to sign with, used as long as the client lives; null for a client that only
   *     reads
   * @param keys of all principals whose seals may come
   * @param rights who of them may submit or order what; a seal of one who may not counts nothing
   */
  public static ObjectSeals signatures(
      String cluster, @Nullable SigningKey own, Map<String, VerifyingKey> keys, Rights rights) {
    ImmutableMap.Builder<KeyId, Signer> signers = ImmutableMap.builder();
    keys.forEach(
        (principal, key) ->
            signers.put(KeyId.of(key), new Signer(principal, SealVerifier.ed25519(List.of(key)))));
    SignatureCheck check = new SignatureCheck(signers.buildOrThrow(), rights);
    OrderSeals seals =
        own == null
            ? OrderSeals.readOnly(cluster, check)
            : OrderSeals.of(cluster, Sealer.ed25519(own), check);
    return new ObjectSeals(seals);
  }

  private record Signer(String principal, SealVerifier verifier) {}

  private record SignatureCheck(ImmutableMap<KeyId, Signer> signers, Rights rights)
      implements SealVerifier {
    @Override
    public boolean verify(SealContext context, byte[] body, Seal seal) {
      Signer signer = signers.get(seal.keyId());
      return signer != null
          && mayHaveSaid(signer.principal(), context)
          && signer.verifier().verify(context, body, seal);
    }

    /** Who may say it no more may have said it when it still could. */
    @Override
    public boolean knows(SealContext context, Seal seal) {
      Signer signer = signers.get(seal.keyId());
      return signer != null && mayHaveSaid(signer.principal(), context);
    }

    private boolean mayHaveSaid(String principal, SealContext context) {
      Right needed =
          switch (context.kind()) {
            case OP -> Right.SUBMIT;
            case RANK -> Right.LOCK; // Of the lock by which those who order take turns.
            default -> Right.ORDER;
          };
      return rights.allows(principal, needed, context.name());
    }
  }

  OrderSeals forProtocol() {
    return seals;
  }
}
