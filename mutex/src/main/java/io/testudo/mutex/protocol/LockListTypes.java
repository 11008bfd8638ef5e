package io.testudo.mutex.protocol;

import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.inline;
import static io.testudo.quorum.wire.Field.optional;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;

import io.testudo.mutex.protocol.LockView.Holding;
import io.testudo.mutex.protocol.LockView.User;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** The question who holds a lock, on the wire. Numbers are permanent. */
public final class LockListTypes {
  private static final int NUMBERS_BYTES = 64;
  private static final int QUESTION_BYTES = 2 * LockNames.MAX_BYTES + NUMBERS_BYTES + 32;
  private static final int USER_BYTES = ClientId.MAX_PRINCIPAL_LENGTH + NUMBERS_BYTES;
  private static final int LOCK_BYTES =
      LockNames.MAX_BYTES + (LockView.MAX_WAITERS + 1) * USER_BYTES + NUMBERS_BYTES;

  private static final Schema<ClientId> CLIENT =
      Schema.of(
          string(1, ClientId::principal),
          fixed64(2, ClientId::session),
          uint64(3, ClientId::handle),
          ClientId::new);

  private static final Schema<User> USER =
      Schema.of(inline(User::client, CLIENT), uint64(4, User::contender), User::new);

  private static final Schema<LockView> LOCK =
      Schema.of(
          string(1, LockView::lock),
          optional(2, it -> it.holding().map(Holding::user), USER),
          uint64(3, it -> it.holding().map(Holding::token).orElse(0L)),
          uint64(4, it -> it.holding().map(Holding::remainingNanos).orElse(0L)),
          repeated(5, LockView::waiters, USER),
          uint32(6, LockView::waiting),
          (lock, holder, token, nanos, waiters, waiting) ->
              new LockView(
                  lock, holder.map(user -> new Holding(user, token, nanos)), waiters, waiting));

  public static final WireType<ListLocks> LIST_LOCKS =
      WireType.of(
          88,
          ListLocks.class,
          QUESTION_BYTES,
          Schema.of(
              fixed64(1, ListLocks::nonce),
              string(2, ListLocks::backend),
              string(3, ListLocks::prefix),
              string(4, ListLocks::after),
              ListLocks::new));

  public static final WireType<LockList> LOCK_LIST =
      WireType.of(
          89,
          LockList.class,
          LockList.MAX_LOCKS * LOCK_BYTES,
          Schema.of(
              fixed64(1, LockList::nonce),
              repeated(2, LockList::locks, LOCK),
              bool(3, LockList::more),
              LockList::new));

  public static final WireTypes ALL = WireTypes.of(LIST_LOCKS, LOCK_LIST);

  private LockListTypes() {}
}
