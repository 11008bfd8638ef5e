package io.testudo.quorum.netty;

import io.testudo.crypto.SealScheme;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.cluster.Rights;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who may say what to a server. The rights may change while it runs. */
public final class Gate {
  private final boolean everybody;
  private final Supplier<Rights> rights;
  private final Supplier<KeyEpochs> epochs;
  private final @Nullable SealScheme seals;

  private Gate(
      boolean everybody,
      Supplier<Rights> rights,
      Supplier<KeyEpochs> epochs,
      @Nullable SealScheme seals) {
    this.everybody = everybody;
    this.rights = rights;
    this.epochs = epochs;
    this.seals = seals;
  }

  /** Only principals that the rights know, and what needs a right only with it. */
  public static Gate of(Supplier<Rights> rights) {
    return of(rights, () -> KeyEpochs.FIRST);
  }

  /** As above, and only with keys that are still in use. */
  public static Gate of(Supplier<Rights> rights, Supplier<KeyEpochs> epochs) {
    return new Gate(false, rights, epochs, null);
  }

  /** Whoever can show who it is may do everything: for tests and embedded clusters. */
  public static Gate everybody() {
    return new Gate(true, () -> Rights.of(List.of(), List.of()), () -> KeyEpochs.FIRST, null);
  }

  /** The same, and what clients seal, they seal with such keys. */
  public Gate withSeals(SealScheme scheme) {
    return new Gate(everybody, rights, epochs, scheme);
  }

  boolean knows(String principal) {
    return everybody || rights.get().knows(principal);
  }

  /**
   * Whether the keys of a client are in use. With older ones it would believe what those seal who
   * have been removed, and hand it on; so it is not even to read.
   */
  boolean takesKeys(String principal, KeyEpochs keys) {
    return everybody || rights.get().takesKeys(principal, keys, epochs.get());
  }

  /**
   * Whether a message is sealed as all members are told to, or not at all. The others would not
   * understand what is sealed otherwise, and its sender would wait in vain.
   */
  boolean takesSeal(Guarded message) {
    return seals == null || message.seal().map(seal -> seal.scheme() == seals).orElse(true);
  }

  boolean allows(String principal, Guarded message) {
    return everybody || message.isAllowed(rights.get(), principal);
  }
}
