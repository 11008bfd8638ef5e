package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableMap;
import io.testudo.crypto.KeyId;
import io.testudo.crypto.VerifyingKey;
import io.testudo.quorum.Right;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The principals whose signatures count as seals. */
@FunctionalInterface
public interface Signers {
  /** Whose key it is that a seal says it was made with; null if it is nobody's. */
  @Nullable Signer find(KeyId key);

  /**
   * One of them.
   *
   * @param rights of this principal, perhaps of others as well
   */
  record Signer(String principal, VerifyingKey key, Rights rights) {
    /** Whether it may do this to this name. */
    public boolean may(Right right, String name) {
      return rights.allows(principal, right, name);
    }
  }

  /** Those with a key. */
  static Signers of(Map<String, VerifyingKey> keys, Rights rights) {
    ImmutableMap.Builder<KeyId, Signer> byId = ImmutableMap.builder();
    keys.forEach((principal, key) -> byId.put(KeyId.of(key), new Signer(principal, key, rights)));
    return byId.buildOrThrow()::get;
  }
}
