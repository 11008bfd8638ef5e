package io.testudo.quorum.cluster;

import com.google.common.base.CharMatcher;
import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.testudo.crypto.SealContext;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import java.util.Set;

/**
 * Lets one principal do some things to all names that start with a prefix.
 *
 * @param prefix plain text, compared character by character; the empty one covers every name
 */
public record Grant(String principal, ImmutableSet<Right> rights, String prefix) {
  /** The longest prefix, in bytes of UTF-8: that of the longest name. */
  public static final int MAX_PREFIX_BYTES = SealContext.MAX_NAME_BYTES;

  public Grant {
    principal = new ClientId(principal, 0, 0).principal();
    // In the order of the enum, so that equal grants are written alike.
    rights = Sets.immutableEnumSet(rights);
    if (rights.isEmpty()) {
      throw new IllegalArgumentException("A grant names no right; name at least one.");
    }
    requirePrefix(prefix);
  }

  public static Grant of(String principal, Set<Right> rights, String prefix) {
    return new Grant(principal, ImmutableSet.copyOf(rights), prefix);
  }

  boolean allows(Right right, String name) {
    return rights.contains(right) && name.startsWith(prefix);
  }

  private static void requirePrefix(String prefix) {
    if (!isWellFormed(prefix) || Utf8.encodedLength(prefix) > MAX_PREFIX_BYTES) {
      throw new IllegalArgumentException(
          "A prefix has at most %s bytes of well-formed UTF-8; shorten or correct it."
              .formatted(MAX_PREFIX_BYTES));
    }
    // One line holds one grant, and blanks at the ends of a line are easily lost.
    if (CharMatcher.javaIsoControl().matchesAnyOf(prefix) || !prefix.strip().equals(prefix)) {
      throw new IllegalArgumentException(
          "A prefix has no control characters and no blanks at its ends; correct it.");
    }
  }

  private static boolean isWellFormed(String text) {
    return text.codePoints()
        .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }
}
