package io.testudo.mutex.sigma;

import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.inline;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.sint64;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;

import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** Sigma's messages on the wire. Numbers are permanent. There is nothing on disk. */
public final class SigmaTypes {
  /** Up to twelve numbers of ten bytes with their tags, and a flag. */
  private static final int NUMBERS_BYTES = 160;

  private static final int NAMED_BYTES = LockNames.MAX_BYTES + NUMBERS_BYTES;

  private static final Schema<GrantId> GRANT =
      Schema.of(fixed64(1, GrantId::incarnation), uint64(2, GrantId::number), GrantId::new);

  private static final Schema<Owner> OWNER =
      Schema.of(
          uint64(4, Owner::time),
          fixed64(5, Owner::session),
          uint64(6, Owner::contender),
          Owner::new);

  public static final WireType<Request> REQUEST =
      WireType.of(
          32,
          Request.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Request::lock),
              uint64(2, Request::contender),
              uint64(3, Request::time),
              uint64(4, Request::leaseNanos),
              uint64(5, Request::number),
              Request::new));

  public static final WireType<Yield> YIELD =
      WireType.of(
          33,
          Yield.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Yield::lock),
              uint64(2, Yield::contender),
              uint64(3, Yield::time),
              message(4, Yield::grant, GRANT),
              uint64(5, Yield::leaseNanos),
              uint64(6, Yield::number),
              Yield::new));

  public static final WireType<SigmaRelease> LEAVE =
      WireType.of(
          34,
          SigmaRelease.class,
          NAMED_BYTES,
          Schema.of(
              string(1, SigmaRelease::lock),
              uint64(2, SigmaRelease::contender),
              uint64(3, SigmaRelease::time),
              sint64(4, SigmaRelease::token),
              SigmaRelease::new));

  public static final WireType<Inquiry> INQUIRY =
      WireType.of(
          35,
          Inquiry.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Inquiry::lock),
              uint64(2, Inquiry::contender),
              uint64(3, Inquiry::time),
              uint64(4, Inquiry::number),
              Inquiry::new));

  public static final WireType<Confirm> CONFIRM =
      WireType.of(
          36,
          Confirm.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Confirm::lock),
              uint64(2, Confirm::contender),
              uint64(3, Confirm::time),
              message(4, Confirm::grant, GRANT),
              uint64(5, Confirm::fence),
              uint64(6, Confirm::leaseNanos),
              uint64(7, Confirm::number),
              Confirm::new));

  public static final WireType<Response> RESPONSE =
      WireType.of(
          37,
          Response.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Response::lock),
              uint64(2, Response::contender),
              uint64(3, Response::time),
              inline(Response::owner, OWNER),
              bool(7, Response::yours),
              message(8, Response::grant, GRANT),
              uint64(9, Response::position),
              uint64(10, Response::waitNanos),
              uint64(11, Response::echo),
              uint64(12, Response::leased),
              uint64(13, Response::fence),
              Response::new));

  public static final WireType<Check> CHECK =
      WireType.of(
          38,
          Check.class,
          NAMED_BYTES,
          Schema.of(
              string(1, Check::lock),
              uint64(2, Check::contender),
              uint64(3, Check::time),
              message(4, Check::grant, GRANT),
              uint64(5, Check::echo),
              uint64(6, Check::leased),
              uint64(7, Check::fence),
              Check::new));

  public static final WireType<SigmaRefused> REFUSED =
      WireType.of(
          39,
          SigmaRefused.class,
          NUMBERS_BYTES,
          Schema.of(
              uint64(1, SigmaRefused::time),
              uint32(2, it -> it.reason().number(), RefusalReason::ofNumber),
              uint64(3, SigmaRefused::limit),
              SigmaRefused::new));

  public static final WireTypes ALL =
      WireTypes.of(REQUEST, YIELD, LEAVE, INQUIRY, CONFIRM, RESPONSE, CHECK, REFUSED);

  private SigmaTypes() {}
}
