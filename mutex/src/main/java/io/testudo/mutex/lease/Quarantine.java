package io.testudo.mutex.lease;

import io.testudo.mutex.protocol.GrantsLater;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Part;

/**
 * The part of a server that has started again and does not know what it had granted: it grants
 * nothing until all of that is over.
 */
public final class Quarantine extends Part<ClientId> {
  private boolean lasts;
  private long untilNanos;

  public Quarantine(Part<ClientId> server) {
    super(server);
  }

  /**
   * Begins it, at the start.
   *
   * @param longestLeaseNanos no grant from before lasts longer, on this server's clock
   */
  public void begin(long longestLeaseNanos) {
    lasts = true;
    untilNanos = now().nanos() + longestLeaseNanos;
    tell(new GrantsLater(longestLeaseNanos));
  }

  /** Whether nothing may be granted yet. A grant from before is good at its last instant, too. */
  public boolean lasts() {
    lasts = lasts && now().nanos() - untilNanos <= 0;
    return lasts;
  }

  /** How long it still lasts. */
  public long remainingNanos() {
    return Math.max(0, untilNanos - now().nanos());
  }
}
