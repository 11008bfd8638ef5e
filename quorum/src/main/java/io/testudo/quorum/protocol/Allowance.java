package io.testudo.quorum.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What each of many peers may cost in a while: so much at once, and so much in each second. Who
 * asks for more is not served until time has passed.
 *
 * @param <P> the peers
 */
public final class Allowance<P> {
  /**
   * More peers than this are not remembered; those that were not heard of for longest begin anew.
   */
  private static final int MAX_PEERS = 1_024;

  private static final long SECOND = 1_000_000_000L;

  private final long atOnce;
  private final long perSecond;
  private final Map<P, Account> accounts = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  private static final class Account {
    long left;
    long sinceNanos;
  }

  /**
   * Gives every peer the same.
   *
   * @param perSecond what it has again after each second, up to what it may have at once
   */
  public Allowance(long atOnce, long perSecond) {
    this.atOnce = atOnce;
    this.perSecond = perSecond;
  }

  /** Whether the peer has something left. What it is served then may be more than that. */
  public boolean hasSome(P peer, long nowNanos) {
    return account(peer, nowNanos).left > 0;
  }

  /** Takes something away, also more than is left. */
  public void spend(P peer, long amount, long nowNanos) {
    account(peer, nowNanos).left -= amount;
  }

  private Account account(P peer, long nowNanos) {
    Account account = accounts.get(peer);
    if (account == null) {
      account = new Account();
      account.left = atOnce;
      account.sinceNanos = nowNanos;
      accounts.put(peer, account);
      if (accounts.size() > MAX_PEERS) {
        accounts.remove(accounts.keySet().iterator().next());
      }
    }
    // Beyond a second it makes no difference how long: the account is full, or is full soon.
    long nanos = Math.min(SECOND, Math.max(0, nowNanos - account.sinceNanos));
    long earned = (long) (perSecond * (nanos / (double) SECOND));
    if (earned > 0) {
      account.left = Math.min(atOnce, account.left + earned);
      account.sinceNanos = nowNanos;
    }
    return account;
  }
}
