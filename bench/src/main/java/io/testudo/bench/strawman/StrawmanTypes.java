package io.testudo.bench.strawman;

import io.testudo.bench.strawman.proto.AskMessage;
import io.testudo.bench.strawman.proto.DropMessage;
import io.testudo.bench.strawman.proto.GrantedMessage;
import io.testudo.bench.strawman.proto.RejectedMessage;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** The strawman's messages on the wire. Numbers are permanent. */
public final class StrawmanTypes {
  /** Up to five numbers of ten bytes with their tags. */
  private static final int NUMBERS_BYTES = 64;

  private static final int NAMED_BYTES = LockNames.MAX_BYTES + NUMBERS_BYTES;

  public static final WireType<Ask> ASK =
      WireType.of(
          80,
          Ask.class,
          NAMED_BYTES,
          it ->
              AskMessage.newBuilder()
                  .setLock(it.lock())
                  .setAttempt(it.attempt())
                  .setNumber(it.number())
                  .setLeaseNanos(it.leaseNanos())
                  .build(),
          AskMessage.parser(),
          proto ->
              new Ask(
                  proto.getLock(), proto.getAttempt(), proto.getNumber(), proto.getLeaseNanos()));

  public static final WireType<Drop> DROP =
      WireType.of(
          81,
          Drop.class,
          NAMED_BYTES,
          it ->
              DropMessage.newBuilder()
                  .setLock(it.lock())
                  .setAttempt(it.attempt())
                  .setFence(it.fence())
                  .build(),
          DropMessage.parser(),
          proto -> new Drop(proto.getLock(), proto.getAttempt(), proto.getFence()));

  public static final WireType<Granted> GRANTED =
      WireType.of(
          82,
          Granted.class,
          NAMED_BYTES,
          it ->
              GrantedMessage.newBuilder()
                  .setLock(it.lock())
                  .setAttempt(it.attempt())
                  .setNumber(it.number())
                  .setFence(it.fence())
                  .build(),
          GrantedMessage.parser(),
          proto ->
              new Granted(
                  proto.getLock(), proto.getAttempt(), proto.getNumber(), proto.getFence()));

  public static final WireType<Rejected> REJECTED =
      WireType.of(
          83,
          Rejected.class,
          NUMBERS_BYTES,
          it ->
              RejectedMessage.newBuilder()
                  .setAttempt(it.attempt())
                  .setNumber(it.number())
                  .setReason(it.reason().number())
                  .setOwnerSession(it.ownerSession())
                  .setLimit(it.limit())
                  .build(),
          RejectedMessage.parser(),
          proto ->
              new Rejected(
                  proto.getAttempt(),
                  proto.getNumber(),
                  Rejected.Reason.ofNumber(proto.getReason()),
                  proto.getOwnerSession(),
                  proto.getLimit()));

  public static final WireTypes ALL = WireTypes.of(ASK, DROP, GRANTED, REJECTED);

  private StrawmanTypes() {}
}
