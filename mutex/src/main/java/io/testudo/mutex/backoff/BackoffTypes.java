package io.testudo.mutex.backoff;

import com.google.common.collect.ImmutableMap;
import com.google.protobuf.ByteString;
import io.testudo.crypto.MalformedSealException;
import io.testudo.crypto.Seal;
import io.testudo.mutex.backoff.proto.AskCeilingsMessage;
import io.testudo.mutex.backoff.proto.CeilingsKnownRecord;
import io.testudo.mutex.backoff.proto.CeilingsMessage;
import io.testudo.mutex.backoff.proto.CeilingsPart;
import io.testudo.mutex.backoff.proto.FreeMessage;
import io.testudo.mutex.backoff.proto.LockedMessage;
import io.testudo.mutex.backoff.proto.LongestLeaseRecord;
import io.testudo.mutex.backoff.proto.NameCeilingPart;
import io.testudo.mutex.backoff.proto.RankCeilingRecord;
import io.testudo.mutex.backoff.proto.RankPart;
import io.testudo.mutex.backoff.proto.RefusedMessage;
import io.testudo.mutex.backoff.proto.ReleaseMessage;
import io.testudo.mutex.backoff.proto.RenewMessage;
import io.testudo.mutex.backoff.proto.StaleMessage;
import io.testudo.mutex.backoff.proto.TakeCeilingsMessage;
import io.testudo.mutex.backoff.proto.TryMessage;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.util.Optional;

/** The backoff mutex's messages and records on the wire and on disk. Numbers are permanent. */
public final class BackoffTypes {
  /** Up to six numbers of ten bytes with their tags, and a flag. */
  private static final int NUMBERS_BYTES = 80;

  private static final int NAMED_BYTES = LockNames.MAX_BYTES + NUMBERS_BYTES;
  private static final int SEALED_BYTES = Seal.MAX_ENCODED_LENGTH + NUMBERS_BYTES;
  private static final int RECORD_BYTES = 16;
  private static final int CEILINGS_BYTES = NUMBERS_BYTES + Ceilings.MAX_NAMED * NAMED_BYTES;

  public static final WireType<Try> TRY =
      WireType.of(
          16,
          Try.class,
          NAMED_BYTES + SEALED_BYTES,
          BackoffTypes::toProto,
          TryMessage.parser(),
          proto ->
              new Try(
                  proto.getLock(),
                  proto.getContender(),
                  proto.getTime(),
                  seal(proto.getSeal()),
                  proto.getLeaseNanos(),
                  proto.getNumber(),
                  proto.getWait()));

  public static final WireType<Prolong> RENEW =
      WireType.of(
          17,
          Prolong.class,
          NAMED_BYTES,
          it ->
              RenewMessage.newBuilder()
                  .setLock(it.lock())
                  .setContender(it.contender())
                  .setTime(it.time())
                  .setLeaseNanos(it.leaseNanos())
                  .setNumber(it.number())
                  .build(),
          RenewMessage.parser(),
          proto ->
              new Prolong(
                  proto.getLock(),
                  proto.getContender(),
                  proto.getTime(),
                  proto.getLeaseNanos(),
                  proto.getNumber()));

  public static final WireType<GiveBack> RELEASE =
      WireType.of(
          18,
          GiveBack.class,
          NAMED_BYTES,
          it ->
              ReleaseMessage.newBuilder()
                  .setLock(it.lock())
                  .setContender(it.contender())
                  .setTime(it.time())
                  .build(),
          ReleaseMessage.parser(),
          proto -> new GiveBack(proto.getLock(), proto.getContender(), proto.getTime()));

  public static final WireType<Free> FREE =
      WireType.of(
          19,
          Free.class,
          NAMED_BYTES,
          it ->
              FreeMessage.newBuilder()
                  .setLock(it.lock())
                  .setContender(it.contender())
                  .setTime(it.time())
                  .setNumber(it.number())
                  .build(),
          FreeMessage.parser(),
          proto ->
              new Free(proto.getLock(), proto.getContender(), proto.getTime(), proto.getNumber()));

  public static final WireType<Locked> LOCKED =
      WireType.of(
          20,
          Locked.class,
          SEALED_BYTES,
          it ->
              LockedMessage.newBuilder()
                  .setTime(it.time())
                  .setNumber(it.number())
                  .setRemainingNanos(it.remainingNanos())
                  .setLast(toProto(it.last()))
                  .setQuarantined(it.quarantined())
                  .build(),
          LockedMessage.parser(),
          proto ->
              new Locked(
                  proto.getTime(),
                  proto.getNumber(),
                  proto.getRemainingNanos(),
                  rank(proto.getLast()),
                  proto.getQuarantined()));

  public static final WireType<Stale> STALE =
      WireType.of(
          21,
          Stale.class,
          SEALED_BYTES,
          it ->
              StaleMessage.newBuilder()
                  .setTime(it.time())
                  .setNumber(it.number())
                  .setLast(toProto(it.last()))
                  .build(),
          StaleMessage.parser(),
          proto -> new Stale(proto.getTime(), proto.getNumber(), rank(proto.getLast())));

  public static final WireType<Refused> REFUSED =
      WireType.of(
          22,
          Refused.class,
          NUMBERS_BYTES,
          it ->
              RefusedMessage.newBuilder()
                  .setTime(it.time())
                  .setReason(it.reason().number())
                  .setLimit(it.limit())
                  .build(),
          RefusedMessage.parser(),
          proto ->
              new Refused(
                  proto.getTime(), RefusalReason.ofNumber(proto.getReason()), proto.getLimit()));

  public static final WireType<RankCeiling> RANK_CEILING =
      WireType.of(
          23,
          RankCeiling.class,
          RECORD_BYTES,
          it -> RankCeilingRecord.newBuilder().setTime(it.time()).build(),
          RankCeilingRecord.parser(),
          proto -> new RankCeiling(proto.getTime()));

  public static final WireType<LongestLease> LONGEST_LEASE =
      WireType.of(
          24,
          LongestLease.class,
          RECORD_BYTES,
          it -> LongestLeaseRecord.newBuilder().setNanos(it.nanos()).build(),
          LongestLeaseRecord.parser(),
          proto -> new LongestLease(proto.getNanos()));

  public static final WireType<NameCeiling> NAME_CEILING =
      WireType.of(
          25,
          NameCeiling.class,
          NAMED_BYTES,
          it -> NameCeilingPart.newBuilder().setLock(it.lock()).setTime(it.time()).build(),
          NameCeilingPart.parser(),
          proto -> new NameCeiling(proto.getLock(), proto.getTime()));

  public static final WireType<CeilingsKnown> CEILINGS_KNOWN =
      WireType.of(
          26,
          CeilingsKnown.class,
          RECORD_BYTES,
          it -> CeilingsKnownRecord.newBuilder().setKnown(it.known()).build(),
          CeilingsKnownRecord.parser(),
          proto -> new CeilingsKnown(proto.getKnown()));

  public static final WireType<AskCeilings> ASK_CEILINGS =
      WireType.of(
          27,
          AskCeilings.class,
          NUMBERS_BYTES,
          it -> AskCeilingsMessage.newBuilder().setNonce(it.nonce()).build(),
          AskCeilingsMessage.parser(),
          proto -> new AskCeilings(proto.getNonce()));

  public static final WireType<Ceilings> CEILINGS =
      WireType.of(
          28,
          Ceilings.class,
          CEILINGS_BYTES,
          it ->
              CeilingsMessage.newBuilder()
                  .setNonce(it.nonce())
                  .setKnown(it.known())
                  .setRanks(toProto(it.ranks()))
                  .build(),
          CeilingsMessage.parser(),
          proto -> new Ceilings(proto.getNonce(), proto.getKnown(), ranks(proto.getRanks())));

  public static final WireType<TakeCeilings> TAKE_CEILINGS =
      WireType.of(
          29,
          TakeCeilings.class,
          CEILINGS_BYTES,
          it ->
              TakeCeilingsMessage.newBuilder()
                  .setNonce(it.nonce())
                  .setRanks(toProto(it.ranks()))
                  .build(),
          TakeCeilingsMessage.parser(),
          proto -> new TakeCeilings(proto.getNonce(), ranks(proto.getRanks())));

  public static final WireTypes ALL =
      WireTypes.of(
          TRY,
          RENEW,
          RELEASE,
          FREE,
          LOCKED,
          STALE,
          REFUSED,
          RANK_CEILING,
          LONGEST_LEASE,
          NAME_CEILING,
          CEILINGS_KNOWN,
          ASK_CEILINGS,
          CEILINGS,
          TAKE_CEILINGS);

  private BackoffTypes() {}

  private static TryMessage toProto(Try it) {
    return TryMessage.newBuilder()
        .setLock(it.lock())
        .setContender(it.contender())
        .setTime(it.time())
        .setSeal(bytes(it.seal()))
        .setLeaseNanos(it.leaseNanos())
        .setNumber(it.number())
        .setWait(it.joins())
        .build();
  }

  private static CeilingsPart toProto(Ceilings.Ranks ranks) {
    CeilingsPart.Builder part = CeilingsPart.newBuilder().setTime(ranks.time());
    ranks
        .named()
        .forEach(
            (lock, time) ->
                part.addNamed(NameCeilingPart.newBuilder().setLock(lock).setTime(time)));
    return part.build();
  }

  private static Ceilings.Ranks ranks(CeilingsPart part) {
    ImmutableMap.Builder<String, Long> named = ImmutableMap.builder();
    part.getNamedList().forEach(each -> named.put(each.getLock(), each.getTime()));
    return new Ceilings.Ranks(part.getTime(), named.buildOrThrow());
  }

  private static RankPart toProto(SealedRank rank) {
    return RankPart.newBuilder()
        .setTime(rank.time())
        .setSession(rank.session())
        .setSeal(bytes(rank.seal()))
        .build();
  }

  private static SealedRank rank(RankPart proto) {
    return new SealedRank(proto.getTime(), proto.getSession(), seal(proto.getSeal()));
  }

  private static ByteString bytes(Optional<Seal> seal) {
    return seal.isEmpty() ? ByteString.EMPTY : ByteString.copyFrom(seal.get().encode());
  }

  private static Optional<Seal> seal(ByteString bytes) {
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Seal.decode(bytes.toByteArray()));
    } catch (MalformedSealException e) {
      throw new IllegalArgumentException("the seal is malformed", e);
    }
  }
}
