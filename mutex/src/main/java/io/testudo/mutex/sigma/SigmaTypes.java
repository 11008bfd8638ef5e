package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.sigma.proto.CheckMessage;
import io.testudo.mutex.sigma.proto.ConfirmMessage;
import io.testudo.mutex.sigma.proto.GrantPart;
import io.testudo.mutex.sigma.proto.InquiryMessage;
import io.testudo.mutex.sigma.proto.LeaveMessage;
import io.testudo.mutex.sigma.proto.RefusedMessage;
import io.testudo.mutex.sigma.proto.RequestMessage;
import io.testudo.mutex.sigma.proto.ResponseMessage;
import io.testudo.mutex.sigma.proto.YieldMessage;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** Sigma's messages on the wire. Numbers are permanent. There is nothing on disk. */
public final class SigmaTypes {
  /** Up to twelve numbers of ten bytes with their tags, and a flag. */
  private static final int NUMBERS_BYTES = 160;

  private static final int NAMED_BYTES = LockNames.MAX_BYTES + NUMBERS_BYTES;

  public static final WireType<Request> REQUEST =
      WireType.of(
          32,
          Request.class,
          NAMED_BYTES,
          it ->
              RequestMessage.newBuilder()
                  .setLock(it.lock())
                  .setContender(it.contender())
                  .setTime(it.time())
                  .setLeaseNanos(it.leaseNanos())
                  .setNumber(it.number())
                  .build(),
          RequestMessage.parser(),
          proto ->
              new Request(
                  proto.getLock(),
                  proto.getContender(),
                  proto.getTime(),
                  proto.getLeaseNanos(),
                  proto.getNumber()));

  public static final WireType<Yield> YIELD =
      WireType.of(
          33,
          Yield.class,
          NAMED_BYTES,
          it ->
              YieldMessage.newBuilder()
                  .setLock(it.lock())
                  .setContender(it.contender())
                  .setTime(it.time())
                  .setGrant(toProto(it.grant()))
                  .setLeaseNanos(it.leaseNanos())
                  .setNumber(it.number())
                  .build(),
          YieldMessage.parser(),
          proto ->
              new Yield(
                  proto.getLock(),
                  proto.getContender(),
                  proto.getTime(),
                  grant(proto.getGrant()),
                  proto.getLeaseNanos(),
                  proto.getNumber()));

  public static final WireType<Leave> LEAVE =
      WireType.of(
          34,
          Leave.class,
          NAMED_BYTES,
          it ->
              LeaveMessage.newBuilder()
                  .setLock(it.lock())
                  .setContender(it.contender())
                  .setTime(it.time())
                  .setToken(it.token())
                  .build(),
          LeaveMessage.parser(),
          proto ->
              new Leave(proto.getLock(), proto.getContender(), proto.getTime(), proto.getToken()));

  public static final WireType<Inquiry> INQUIRY =
      WireType.of(
          35,
          Inquiry.class,
          NAMED_BYTES,
          it ->
              InquiryMessage.newBuilder()
                  .setLock(it.lock())
                  .setContender(it.contender())
                  .setTime(it.time())
                  .setNumber(it.number())
                  .build(),
          InquiryMessage.parser(),
          proto ->
              new Inquiry(
                  proto.getLock(), proto.getContender(), proto.getTime(), proto.getNumber()));

  public static final WireType<Confirm> CONFIRM =
      WireType.of(
          36,
          Confirm.class,
          NAMED_BYTES,
          it ->
              ConfirmMessage.newBuilder()
                  .setLock(it.lock())
                  .setContender(it.contender())
                  .setTime(it.time())
                  .setGrant(toProto(it.grant()))
                  .setFence(it.fence())
                  .setLeaseNanos(it.leaseNanos())
                  .setNumber(it.number())
                  .build(),
          ConfirmMessage.parser(),
          proto ->
              new Confirm(
                  proto.getLock(),
                  proto.getContender(),
                  proto.getTime(),
                  grant(proto.getGrant()),
                  proto.getFence(),
                  proto.getLeaseNanos(),
                  proto.getNumber()));

  public static final WireType<Response> RESPONSE =
      WireType.of(
          37,
          Response.class,
          NAMED_BYTES,
          SigmaTypes::toProto,
          ResponseMessage.parser(),
          SigmaTypes::response);

  public static final WireType<Check> CHECK =
      WireType.of(
          38,
          Check.class,
          NAMED_BYTES,
          it ->
              CheckMessage.newBuilder()
                  .setLock(it.lock())
                  .setContender(it.contender())
                  .setTime(it.time())
                  .setGrant(toProto(it.grant()))
                  .setEcho(it.echo())
                  .setLeased(it.leased())
                  .setFence(it.fence())
                  .build(),
          CheckMessage.parser(),
          proto ->
              new Check(
                  proto.getLock(),
                  proto.getContender(),
                  proto.getTime(),
                  grant(proto.getGrant()),
                  proto.getEcho(),
                  proto.getLeased(),
                  proto.getFence()));

  public static final WireType<Refused> REFUSED =
      WireType.of(
          39,
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

  public static final WireTypes ALL =
      WireTypes.of(REQUEST, YIELD, LEAVE, INQUIRY, CONFIRM, RESPONSE, CHECK, REFUSED);

  private SigmaTypes() {}

  private static GrantPart toProto(GrantId grant) {
    return GrantPart.newBuilder()
        .setIncarnation(grant.incarnation())
        .setNumber(grant.number())
        .build();
  }

  private static GrantId grant(GrantPart proto) {
    return new GrantId(proto.getIncarnation(), proto.getNumber());
  }

  private static ResponseMessage toProto(Response it) {
    return ResponseMessage.newBuilder()
        .setLock(it.lock())
        .setContender(it.contender())
        .setTime(it.time())
        .setOwnerTime(it.owner().time())
        .setOwnerSession(it.owner().session())
        .setOwnerContender(it.owner().contender())
        .setYours(it.yours())
        .setGrant(toProto(it.grant()))
        .setPosition(it.position())
        .setWaitNanos(it.waitNanos())
        .setEcho(it.echo())
        .setLeased(it.leased())
        .setFence(it.fence())
        .build();
  }

  private static Response response(ResponseMessage proto) {
    return new Response(
        proto.getLock(),
        proto.getContender(),
        proto.getTime(),
        new Owner(proto.getOwnerTime(), proto.getOwnerSession(), proto.getOwnerContender()),
        proto.getYours(),
        grant(proto.getGrant()),
        proto.getPosition(),
        proto.getWaitNanos(),
        proto.getEcho(),
        proto.getLeased(),
        proto.getFence());
  }
}
