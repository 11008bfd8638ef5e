package io.testudo.mutex.protocol;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.protocol.LockView.Holding;
import io.testudo.mutex.protocol.LockView.User;
import io.testudo.mutex.protocol.proto.ListLocksMessage;
import io.testudo.mutex.protocol.proto.LockListMessage;
import io.testudo.mutex.protocol.proto.LockUserPart;
import io.testudo.mutex.protocol.proto.LockViewPart;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.util.Optional;

/** The question who holds a lock, on the wire. Numbers are permanent. */
public final class LockListTypes {
  private static final int NUMBERS_BYTES = 64;
  private static final int QUESTION_BYTES = 2 * LockNames.MAX_BYTES + NUMBERS_BYTES + 32;
  private static final int USER_BYTES = ClientId.MAX_PRINCIPAL_LENGTH + NUMBERS_BYTES;
  private static final int LOCK_BYTES =
      LockNames.MAX_BYTES + (LockView.MAX_WAITERS + 1) * USER_BYTES + NUMBERS_BYTES;

  public static final WireType<ListLocks> LIST_LOCKS =
      WireType.of(
          88,
          ListLocks.class,
          QUESTION_BYTES,
          it ->
              ListLocksMessage.newBuilder()
                  .setNonce(it.nonce())
                  .setBackend(it.backend())
                  .setPrefix(it.prefix())
                  .setAfter(it.after())
                  .build(),
          ListLocksMessage.parser(),
          proto ->
              new ListLocks(
                  proto.getNonce(), proto.getBackend(), proto.getPrefix(), proto.getAfter()));

  public static final WireType<LockList> LOCK_LIST =
      WireType.of(
          89,
          LockList.class,
          LockList.MAX_LOCKS * LOCK_BYTES,
          LockListTypes::toProto,
          LockListMessage.parser(),
          proto ->
              new LockList(
                  proto.getNonce(),
                  proto.getLocksList().stream()
                      .map(LockListTypes::view)
                      .collect(ImmutableList.toImmutableList()),
                  proto.getMore()));

  public static final WireTypes ALL = WireTypes.of(LIST_LOCKS, LOCK_LIST);

  private LockListTypes() {}

  private static LockListMessage toProto(LockList list) {
    LockListMessage.Builder proto =
        LockListMessage.newBuilder().setNonce(list.nonce()).setMore(list.more());
    list.locks().forEach(view -> proto.addLocks(toProto(view)));
    return proto.build();
  }

  private static LockViewPart toProto(LockView view) {
    LockViewPart.Builder proto =
        LockViewPart.newBuilder().setLock(view.lock()).setWaiting(view.waiting());
    view.holding()
        .ifPresent(
            holding ->
                proto
                    .setHolder(toProto(holding.user()))
                    .setToken(holding.token())
                    .setRemainingNanos(holding.remainingNanos()));
    view.waiters().forEach(waiter -> proto.addWaiters(toProto(waiter)));
    return proto.build();
  }

  private static LockUserPart toProto(User user) {
    return LockUserPart.newBuilder()
        .setPrincipal(user.client().principal())
        .setSession(user.client().session())
        .setHandle(user.client().handle())
        .setContender(user.contender())
        .build();
  }

  private static LockView view(LockViewPart proto) {
    Optional<Holding> holding =
        proto.hasHolder()
            ? Optional.of(
                new Holding(user(proto.getHolder()), proto.getToken(), proto.getRemainingNanos()))
            : Optional.empty();
    return new LockView(
        proto.getLock(),
        holding,
        proto.getWaitersList().stream()
            .map(LockListTypes::user)
            .collect(ImmutableList.toImmutableList()),
        proto.getWaiting());
  }

  private static User user(LockUserPart proto) {
    return new User(
        new ClientId(proto.getPrincipal(), proto.getSession(), proto.getHandle()),
        proto.getContender());
  }
}
