package io.testudo.ordering.client;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.testudo.crypto.KeyId;
import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.crypto.SigningKey;
import io.testudo.crypto.VerifyingKey;
import io.testudo.ordering.protocol.OrderSeals;
import io.testudo.quorum.cluster.Right;
import io.testudo.quorum.cluster.Rights;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a client seals what it says of objects, and checks what others said.
 *
 * <ul>
 *   <li>{@link #group}: with keys that all clients of a name prefix share and no server has. Fast;
 *       who can check can also seal, so readers must be trusted as writers are.
 *   <li>{@link #signatures}: with a key pair of each principal. Anyone can check, and a seal counts
 *       only if its principal has the right to what it says. Slower by some hundred microseconds
 *       for each seal.
 * </ul>
 */
public final class ObjectSeals {
  private final OrderSeals seals;
  private final Predicate<String> canCheck;

  private ObjectSeals(OrderSeals seals, Predicate<String> canCheck) {
    this.seals = seals;
    this.canCheck = canCheck;
  }

  /** For the mode in which nothing is sealed. */
  public static ObjectSeals none() {
    return new ObjectSeals(OrderSeals.none(), name -> false);
  }

  /**
   * Seals with the group keys of a principal's keyring. The longest prefix of a name counts.
   *
   * @param groupKeys by prefix, as {@link io.testudo.quorum.cluster.ClientKeyring#groupKeys} has
   *     them
   */
  public static ObjectSeals group(String cluster, Map<String, SecretBytes> groupKeys) {
    ImmutableSortedMap.Builder<String, Group> groups = ImmutableSortedMap.orderedBy(LONGEST_FIRST);
    groupKeys.forEach(
        (prefix, key) ->
            groups.put(prefix, new Group(Sealer.hmac(key), SealVerifier.hmac(List.of(key)))));
    ImmutableSortedMap<String, Group> byPrefix = groups.buildOrThrow();
    Sealer sealer =
        (context, body) ->
            groupOf(byPrefix, context.name()).orElseThrow().sealer().seal(context, body);
    SealVerifier verifier =
        (context, body, seal) ->
            groupOf(byPrefix, context.name())
                .map(group -> group.verifier().verify(context, body, seal))
                .orElse(false);
    return new ObjectSeals(
        OrderSeals.of(cluster, sealer, verifier), name -> groupOf(byPrefix, name).isPresent());
  }

  private record Group(Sealer sealer, SealVerifier verifier) {}

  private static final Comparator<String> LONGEST_FIRST =
      Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());

  private static Optional<Group> groupOf(ImmutableSortedMap<String, Group> byPrefix, String name) {
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
    return new ObjectSeals(seals, name -> true);
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

  /** Whether this client can check what others said of an object. */
  boolean canCheck(String name) {
    return canCheck.test(name);
  }
}
