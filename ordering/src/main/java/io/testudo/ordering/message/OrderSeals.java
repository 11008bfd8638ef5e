package io.testudo.ordering.message;

import com.google.common.primitives.Longs;
import io.testudo.crypto.Digest;
import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealKind;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Right;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a client seals what it says of objects, and checks what others said. What is sealed carries
 * its kind: a proposal that was never chosen cannot be shown as a commit.
 */
public final class OrderSeals implements RankSeals {
  private final String cluster;
  private final @Nullable Sealer sealer;
  private final @Nullable SealVerifier verifier;
  private final BiPredicate<SealKind, String> hasKey;
  private final Speakers speakers;

  private OrderSeals(
      String cluster,
      @Nullable Sealer sealer,
      @Nullable SealVerifier verifier,
      BiPredicate<SealKind, String> hasKey,
      Speakers speakers) {
    this.cluster = cluster;
    this.sealer = sealer;
    this.verifier = verifier;
    this.hasKey = hasKey;
    this.speakers = speakers;
  }

  /**
   * Who may speak for which session. A signature of somebody who may order says nothing of what
   * others said: the session that a statement names must be one of the signer's own.
   */
  @FunctionalInterface
  public interface Speakers {
    /** Whether this session is of whoever has the key that a seal says it was made with. */
    boolean isOf(SealKind kind, Seal seal, long session);
  }

  /** With a key that all share: no seal tells who of them made it. */
  public static OrderSeals of(String cluster, Sealer sealer, SealVerifier verifier) {
    return of(cluster, sealer, verifier, (kind, name) -> true);
  }

  /**
   * With keys that groups share.
   *
   * @param hasKey whether the sealer has a key for statements of a kind about a name
   */
  public static OrderSeals of(
      String cluster, Sealer sealer, SealVerifier verifier, BiPredicate<SealKind, String> hasKey) {
    return new OrderSeals(cluster, sealer, verifier, hasKey, (kind, seal, session) -> true);
  }

  /**
   * With a key of each principal.
   *
   * @param sealer null for clients that check what others said and say nothing themselves
   */
  public static OrderSeals signed(
      String cluster,
      @Nullable Sealer sealer,
      SealVerifier verifier,
      BiPredicate<SealKind, String> hasKey,
      Speakers speakers) {
    return new OrderSeals(cluster, sealer, verifier, hasKey, speakers);
  }

  /** As others do that may be exchanged between the steps of a machine. */
  public static OrderSeals following(String cluster, Supplier<OrderSeals> present) {
    return new OrderSeals(
        cluster,
        (context, body) -> Objects.requireNonNull(present.get().sealer).seal(context, body),
        new SealVerifier() {
          @Override
          public boolean verify(SealContext context, byte[] body, Seal seal) {
            SealVerifier verifier = present.get().verifier;
            return verifier != null && verifier.verify(context, body, seal);
          }

          @Override
          public boolean knows(SealContext context, Seal seal) {
            SealVerifier verifier = present.get().verifier;
            return verifier != null && verifier.knows(context, seal);
          }
        },
        (kind, name) -> present.get().canSeal(kind, name),
        (kind, seal, session) -> present.get().speakers.isOf(kind, seal, session));
  }

  /** For the mode in which nothing is sealed. */
  public static OrderSeals none() {
    return new OrderSeals("", null, null, (kind, name) -> false, (kind, seal, session) -> false);
  }

  @Override
  public Optional<Seal> seal(String object, long time, long session) {
    return seal(SealKind.TURN, object, time, session);
  }

  @Override
  public Verdict check(String object, SealedRank rank) {
    return check(SealKind.TURN, object, rank);
  }

  /** Of the ranks of locks, which are not to be taken for those at which an object is ordered. */
  public RankSeals ofLocks() {
    return new RankSeals() {
      @Override
      public Optional<Seal> seal(String lock, long time, long session) {
        return OrderSeals.this.seal(SealKind.RANK, lock, time, session);
      }

      @Override
      public Verdict check(String lock, SealedRank rank) {
        return OrderSeals.this.check(SealKind.RANK, lock, rank);
      }
    };
  }

  private Optional<Seal> seal(SealKind kind, String name, long time, long session) {
    return sealed(kind, name, Longs.toByteArray(time), Longs.toByteArray(session));
  }

  private Verdict check(SealKind kind, String name, SealedRank rank) {
    if (verifier == null || rank.seal().isEmpty()) {
      return Verdict.UNKNOWN;
    }
    if (!knows(kind, name, rank.seal())) {
      return Verdict.UNKNOWN;
    }
    return isValid(
            kind,
            name,
            rank.seal(),
            rank.session(),
            Longs.toByteArray(rank.time()),
            Longs.toByteArray(rank.session()))
        ? Verdict.VALID
        : Verdict.FORGED;
  }

  public boolean canSeal(SealKind kind, String name) {
    return sealer != null && hasKey.test(kind, name);
  }

  /** Whether we have the key that a seal says it was made with; else it may be of an older one. */
  public boolean knows(SealKind kind, String name, Optional<Seal> seal) {
    return verifier != null
        && seal.isPresent()
        && verifier.knows(new SealContext(kind, cluster, name), seal.get());
  }

  /**
   * By what an operation is sealed. One that ends an object is sealed as what orderers say: else
   * whoever may submit could have it done by one server that lies, since orderers believe seals.
   */
  private static SealKind kindOf(Bytes operation) {
    return SubmittedOperation.rightTo(operation) == Right.ORDER ? SealKind.LIFE : SealKind.OP;
  }

  /** Whether we have the key to seal an operation with. */
  public boolean canSeal(String object, Bytes operation) {
    return canSeal(kindOf(operation), object);
  }

  /** Whether we have the key by which an operation says that it is sealed. */
  public boolean knows(String object, SubmittedOperation operation) {
    return knows(kindOf(operation.body()), object, operation.seal());
  }

  public SubmittedOperation seal(String object, SubmittedOperation operation) {
    return new SubmittedOperation(
        operation.id(),
        operation.floor(),
        operation.body(),
        sealed(kindOf(operation.body()), object, partsOf(operation)));
  }

  public boolean isValid(String object, SubmittedOperation operation) {
    return isValid(
        kindOf(operation.body()),
        object,
        operation.seal(),
        operation.id().session(),
        partsOf(operation));
  }

  private static byte[][] partsOf(SubmittedOperation operation) {
    return new byte[][] {
      Longs.toByteArray(operation.id().session()),
      Longs.toByteArray(operation.id().sequence()),
      Longs.toByteArray(operation.floor()),
      operation.body().view(Digest::of).toByteArray()
    };
  }

  public Statement seal(SealKind kind, String object, Rank rank, StateId state) {
    return new Statement(rank, state, sealed(kind, object, partsOf(rank, state)));
  }

  public boolean isValid(SealKind kind, String object, Statement statement) {
    return isValid(
        kind,
        object,
        statement.seal(),
        statement.rank().session(),
        partsOf(statement.rank(), statement.state()));
  }

  private static byte[][] partsOf(Rank rank, StateId state) {
    return new byte[][] {
      Longs.toByteArray(rank.time()),
      Longs.toByteArray(rank.session()),
      Longs.toByteArray(state.version()),
      state.link().toByteArray()
    };
  }

  private Optional<Seal> sealed(SealKind kind, String object, byte[]... parts) {
    return sealer == null || !hasKey.test(kind, object)
        ? Optional.empty()
        : Optional.of(
            sealer.seal(
                new SealContext(kind, cluster, object),
                com.google.common.primitives.Bytes.concat(parts)));
  }

  private boolean isValid(
      SealKind kind, String object, Optional<Seal> seal, long session, byte[]... parts) {
    return verifier != null
        && seal.isPresent()
        && speakers.isOf(kind, seal.get(), session)
        && verifier.verify(
            new SealContext(kind, cluster, object),
            com.google.common.primitives.Bytes.concat(parts),
            seal.get());
  }
}
