package io.testudo.mutex.dht.wire;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Rights;

/**
 * What a principal must be allowed to do before a member listens to it.
 *
 * @param who whom it is for
 * @param lock for whose contenders, or empty
 */
record SpeakersNeed(Who who, String lock) {
  /** The kinds of speakers. */
  enum Who {
    /** Whoever has shown who it is. */
    ANYBODY,
    /** Who may contend for the lock. */
    CONTENDER,
    /** Who may take part in the ring. */
    MEMBER
  }

  /** Members have the right to change who takes part: they are those who do. */
  static final Right OF_MEMBERS = Right.ADMINISTER;

  static final SpeakersNeed NONE = new SpeakersNeed(Who.ANYBODY, "");
  static final SpeakersNeed MEMBER = new SpeakersNeed(Who.MEMBER, "");

  static SpeakersNeed lock(String name) {
    return new SpeakersNeed(Who.CONTENDER, name);
  }

  Right right() {
    return who == Who.CONTENDER ? Right.LOCK : OF_MEMBERS;
  }

  boolean isMet(Rights rights, String principal) {
    return who == Who.ANYBODY || rights.allows(principal, right(), lock);
  }
}
