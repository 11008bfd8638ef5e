package io.testudo.quorum.cluster;

import io.testudo.quorum.Right;
import java.util.Locale;

/**
 * What a group of clients seals with a key of its own: who only submits must not be able to seal
 * what orderers say. The names are permanent, keys are derived from them.
 */
public enum KeyPurpose {
  /** Operations. Orderers check them. */
  SUBMIT,
  /** Ranks, proposals and commits of objects. */
  ORDER,
  /** Ranks of locks. */
  LOCK;

  /** As it is written in files. */
  String purposeName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether who has this grant seals, or has to check, what is for this purpose. */
  boolean isOf(Grant grant) {
    return switch (this) {
      case SUBMIT -> grant.rights().contains(Right.SUBMIT) || grant.rights().contains(Right.ORDER);
      case ORDER -> grant.rights().contains(Right.ORDER);
      case LOCK -> grant.rights().contains(Right.LOCK);
    };
  }
}
