package io.testudo.quorum.netty;

import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.function.Supplier;

/** Who may say what to a server. The rights may change while it runs. */
public final class Gate {
  private final boolean everybody;
  private final Supplier<Rights> rights;

  private Gate(boolean everybody, Supplier<Rights> rights) {
    this.everybody = everybody;
    this.rights = rights;
  }

  /** Only principals that the rights know, and what needs a right only with it. */
  public static Gate of(Supplier<Rights> rights) {
    return new Gate(false, rights);
  }

  /** Whoever can show who it is may do everything: for tests and embedded clusters. */
  public static Gate everybody() {
    return new Gate(true, () -> Rights.of(List.of(), List.of()));
  }

  boolean knows(String principal) {
    return everybody || rights.get().knows(principal);
  }

  boolean allows(String principal, Message message) {
    return everybody
        || !(message instanceof Guarded guarded)
        || guarded.isAllowed(rights.get(), principal);
  }
}
