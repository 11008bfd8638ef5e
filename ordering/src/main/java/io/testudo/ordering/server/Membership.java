package io.testudo.ordering.server;

import com.google.common.collect.ImmutableSortedSet;
import io.testudo.ordering.message.Enrolled;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * How a server stands to objects that it does not know of. To one that never lost its memory they
 * are new. One that did may have forgotten any of them, until it is told which names others know:
 * from then on it may have forgotten those, and all others are new.
 */
final class Membership {
  private enum Standing {
    /** What it does not know of has never been, but for names that it was told. */
    MEMBER,
    /** What it does not know of may have been: clients bring it up to date. */
    RETURNED,
    /** Nothing is said of it, nor of anything else. */
    OUTSIDE
  }

  private Standing standing = Standing.OUTSIDE;

  /** Of the memory, once there is one. */
  private long epoch;

  private final NavigableSet<String> doubtful = new TreeSet<>();

  void take(Enrolled kept) {
    epoch = kept.epoch();
    standing = kept.isComplete() ? Standing.MEMBER : Standing.RETURNED;
    doubtful.clear();
    doubtful.addAll(kept.doubtful());
  }

  Enrolled kept() {
    return new Enrolled(epoch, isComplete(), ImmutableSortedSet.copyOf(doubtful));
  }

  /** Whether it has no memory, and says nothing. */
  boolean isOutside() {
    return standing == Standing.OUTSIDE;
  }

  /** Whether it knows which objects are new. */
  boolean isComplete() {
    return standing == Standing.MEMBER;
  }

  /** Of its memory; 0 if it has none. */
  long epoch() {
    return epoch;
  }

  /** Whether an object that is not known here has never been. */
  boolean isNew(String name) {
    return isComplete() && !isDoubtful(name);
  }

  /** Whether it may have known more of an object once than it does now. */
  boolean mayHaveForgotten(String name) {
    return standing == Standing.RETURNED || isDoubtful(name);
  }

  /** Whether it was told that it may have forgotten something of an object. */
  boolean isDoubtful(String name) {
    return doubtful.contains(name);
  }

  /** Of an object it has accepted something since, with a rank that tells so. */
  void isUpToDate(String name) {
    doubtful.remove(name);
  }

  /** It was told all names that others know; of some of them it knows itself again. */
  void complete(Collection<String> names, Predicate<String> isUpToDate) {
    standing = Standing.MEMBER;
    doubtful.clear();
    names.stream().filter(isUpToDate.negate()).forEach(doubtful::add);
  }

  /** The names that it may have forgotten, as far as it knows them. */
  NavigableSet<String> doubtful() {
    return doubtful;
  }
}
