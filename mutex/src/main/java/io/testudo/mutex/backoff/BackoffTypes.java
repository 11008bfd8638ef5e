package io.testudo.mutex.backoff;

import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.seal;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableMap;
import io.testudo.crypto.Seal;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.util.Map;

/** The backoff mutex's messages and records on the wire and on disk. Numbers are permanent. */
public final class BackoffTypes {
  /** Up to six numbers of ten bytes with their tags, and a flag. */
  private static final int NUMBERS_BYTES = 80;

  private static final int NAMED_BYTES = LockNames.MAX_BYTES + NUMBERS_BYTES;
  private static final int SEALED_BYTES = Seal.MAX_ENCODED_LENGTH + NUMBERS_BYTES;
  private static final int RECORD_BYTES = 16;
  private static final int CEILINGS_BYTES = NUMBERS_BYTES + Ceilings.MAX_NAMED * NAMED_BYTES;

  private static final Schema<SealedRank> RANK =
      Schema.of(
          uint64(1, SealedRank::time),
          fixed64(2, SealedRank::session),
          seal(3, SealedRank::seal),
          SealedRank::new);

  private static final Schema<Map.Entry<String, Long>> NAMED =
      Schema.of(
          string(1, Map.Entry<String, Long>::getKey),
          uint64(2, Map.Entry<String, Long>::getValue),
          Map::entry);

  private static final Schema<Ceilings.Ranks> RANKS =
      Schema.of(
          uint64(1, Ceilings.Ranks::time),
          repeated(2, it -> it.named().entrySet(), NAMED),
          (time, named) -> new Ceilings.Ranks(time, ImmutableMap.copyOf(named)));

  public static final WireType<Try> TRY =
      WireType.of(
          16,
          Try.class,
          NAMED_BYTES + SEALED_BYTES,
          Schema.of(
              string(1, Try::lock),
              uint64(2, Try::contender),
              uint64(3, Try::time),
              seal(4, Try::seal),
              uint64(5, Try::leaseNanos),
              uint64(6, Try::number),
              bool(7, Try::joins),
              Try::new));

  public static final WireType<Renew> RENEW =
      WireType.of(
          17,
          Renew.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Renew::lock),
              uint64(2, Renew::contender),
              uint64(3, Renew::time),
              uint64(4, Renew::leaseNanos),
              uint64(5, Renew::number),
              Renew::new));

  public static final WireType<Release> RELEASE =
      WireType.of(
          18,
          Release.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Release::lock),
              uint64(2, Release::contender),
              uint64(3, Release::time),
              Release::new));

  public static final WireType<Free> FREE =
      WireType.of(
          19,
          Free.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Free::lock),
              uint64(2, Free::contender),
              uint64(3, Free::time),
              uint64(4, Free::number),
              Free::new));

  public static final WireType<Locked> LOCKED =
      WireType.of(
          20,
          Locked.class,
          SEALED_BYTES,
          Schema.of(
              uint64(1, Locked::time),
              uint64(2, Locked::number),
              uint64(3, Locked::remainingNanos),
              message(4, Locked::last, RANK),
              bool(5, Locked::quarantined),
              Locked::new));

  public static final WireType<Stale> STALE =
      WireType.of(
          21,
          Stale.class,
          SEALED_BYTES,
          Schema.of(
              uint64(1, Stale::time),
              uint64(2, Stale::number),
              message(3, Stale::last, RANK),
              Stale::new));

  public static final WireType<Refused> REFUSED =
      WireType.of(
          22,
          Refused.class,
          NUMBERS_BYTES,
          Schema.of(
              uint64(1, Refused::time),
              uint32(2, it -> it.reason().number(), RefusalReason::ofNumber),
              uint64(3, Refused::limit),
              Refused::new));

  public static final WireType<RankCeiling> RANK_CEILING =
      WireType.of(
          23,
          RankCeiling.class,
          RECORD_BYTES,
          Schema.of(uint64(1, RankCeiling::time), RankCeiling::new));

  public static final WireType<LongestLease> LONGEST_LEASE =
      WireType.of(
          24,
          LongestLease.class,
          RECORD_BYTES,
          Schema.of(uint64(1, LongestLease::nanos), LongestLease::new));

  public static final WireType<NameCeiling> NAME_CEILING =
      WireType.of(
          25,
          NameCeiling.class,
          NAMED_BYTES,
          Schema.of(string(1, NameCeiling::lock), uint64(2, NameCeiling::time), NameCeiling::new));

  public static final WireType<CeilingsKnown> CEILINGS_KNOWN =
      WireType.of(
          26,
          CeilingsKnown.class,
          RECORD_BYTES,
          Schema.of(bool(1, CeilingsKnown::known), CeilingsKnown::new));

  public static final WireType<AskCeilings> ASK_CEILINGS =
      WireType.of(
          27,
          AskCeilings.class,
          NUMBERS_BYTES,
          Schema.of(fixed64(1, AskCeilings::nonce), AskCeilings::new));

  public static final WireType<Ceilings> CEILINGS =
      WireType.of(
          28,
          Ceilings.class,
          CEILINGS_BYTES,
          Schema.of(
              fixed64(1, Ceilings::nonce),
              bool(2, Ceilings::known),
              message(3, Ceilings::ranks, RANKS),
              Ceilings::new));

  public static final WireType<TakeCeilings> TAKE_CEILINGS =
      WireType.of(
          29,
          TakeCeilings.class,
          CEILINGS_BYTES,
          Schema.of(
              fixed64(1, TakeCeilings::nonce),
              message(2, TakeCeilings::ranks, RANKS),
              TakeCeilings::new));

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
}
