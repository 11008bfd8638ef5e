package io.testudo.ordering.access;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.crypto.KeyId;
import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealKind;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.crypto.SigningKey;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.Signers;
import io.testudo.quorum.protocol.BoundedMap;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a client seals what it says of objects, and checks what others said.
 *
 * <ul>
 *   <li>{@link #group}: with keys that all who submit, or all who order, share for a name prefix,
 *       and no server has. Fast. Who can check can also seal, so only orderers check what orderers
 *       say; others believe what more servers show than can lie.
 *   <li>{@link #signatures}: with a key pair of each principal. Anyone can check, and a seal counts
 *       only if its principal has the right to what it says, and says it in a session of its own.
 *       Slower by some hundred microseconds for each seal.
 * </ul>
 */
public final class ObjectSeals {
  private final LongFunction<OrderSeals> seals;

  private ObjectSeals(LongFunction<OrderSeals> seals) {
    this.seals = seals;
  }

  private static ObjectSeals always(OrderSeals seals) {
    return new ObjectSeals(session -> seals);
  }

  /** For the mode in which nothing is sealed. */
  public static ObjectSeals none() {
    return always(OrderSeals.none());
  }

  /**
   * Seals as others do that may be exchanged between the steps of a machine, for others of the same
   * cluster and kind.
   */
  public static ObjectSeals following(String cluster, Supplier<ObjectSeals> present) {
    return new ObjectSeals(
        session ->
            OrderSeals.following(
                cluster,
                new Supplier<>() {
                  private @Nullable ObjectSeals last;
                  private OrderSeals made = OrderSeals.none();

                  @Override
                  public OrderSeals get() {
                    ObjectSeals now = present.get();
                    if (now != last) {
                      made = now.forProtocol(session);
                      last = now;
                    }
                    return made;
                  }
                }));
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
    return always(
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
   * @param signers the principals whose seals may come
   */
  public static ObjectSeals signatures(String cluster, @Nullable SigningKey own, Signers signers) {
    return new ObjectSeals(
        session -> {
          SignatureCheck check = new SignatureCheck(signers);
          if (own == null) {
            return OrderSeals.signed(cluster, null, check, (kind, name) -> false, check::isOf);
          }
          KeyId ownId = KeyId.of(own.verifyingKey());
          return OrderSeals.signed(
              cluster,
              Sealer.ed25519(own, session),
              check,
              (kind, name) -> check.mayHaveSaid(ownId, kind, name),
              check::isOf);
        });
  }

  /** Whose signatures they are, and whether those may have said it. */
  private static final class SignatureCheck implements SealVerifier {
    /** A statement is shown by all servers: it is worth remembering which ones were right. */
    private static final int MAX_REMEMBERED = 1_024;

    private final Signers signers;
    private final Set<Checked> remembered =
        Collections.synchronizedSet(
            Collections.newSetFromMap(BoundedMap.<Checked, Boolean>byAge(MAX_REMEMBERED)));

    private record Checked(SealContext context, ByteBuffer body, Seal seal) {}

    SignatureCheck(Signers signers) {
      this.signers = signers;
    }

    @Override
    public boolean verify(SealContext context, byte[] body, Seal seal) {
      Signers.Signer signer = signers.find(seal.keyId());
      if (signer == null || !knows(context, seal)) {
        return false;
      }
      Checked checked = new Checked(context, ByteBuffer.wrap(body), seal);
      if (!remembered.contains(checked)) {
        if (!SealVerifier.ed25519(List.of(signer.key())).verify(context, body, seal)) {
          return false;
        }
        remembered.add(checked);
      }
      return true;
    }

    /** Who may say it no more may have said it when it still could. */
    @Override
    public boolean knows(SealContext context, Seal seal) {
      return mayHaveSaid(seal.keyId(), context.kind(), context.name());
    }

    /** As servers tell whose session it is by the connection, clients do by the key. */
    boolean isOf(SealKind kind, Seal seal, long session) {
      Signers.Signer signer = signers.find(seal.keyId());
      if (signer == null) {
        return false;
      }
      return kind == SealKind.RANK // Ranks of locks are in the session of the connection.
          ? seal.session() == session
          : OpId.sessionOf(signer.principal(), seal.session()) == session;
    }

    boolean mayHaveSaid(KeyId key, SealKind kind, String name) {
      Signers.Signer signer = signers.find(key);
      if (signer == null) {
        return false;
      }
      return switch (kind) {
        case OP -> signer.may(Right.SUBMIT, name) || signer.may(Right.ORDER, name);
        case RANK -> signer.may(Right.LOCK, name);
        case PROPOSE, COMMIT, TURN, LIFE -> signer.may(Right.ORDER, name);
      };
    }
  }

  /** For the machine of a client that is connected in this session. */
  public OrderSeals forProtocol(long session) {
    return seals.apply(session);
  }

  /** How the same client seals the ranks of locks, connected in this session. */
  public RankSeals ofLocks(long session) {
    return forProtocol(session).ofLocks();
  }
}
