package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.PeerWork.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * A system in the table.
 *
 * @param name by which options and rows call it
 * @param title what it is, for people
 * @param servers how many, each a process
 * @param durability what survives, of locks of Testudo see {@link #durability(PeerWork.Kind)}
 * @param replication how servers have the same
 * @param faults what they tolerate
 * @param abilities what it can do, and in which way
 * @param driver what drives it
 */
record Peer(
    String name,
    String title,
    int servers,
    Durability durability,
    String replication,
    String faults,
    ImmutableSet<Ability> abilities,
    Driver driver) {

  /** What of an answered operation survives when all servers stop at once. */
  enum Durability {
    /** All: on disk before the answer. */
    SYNCED("synced"),
    /**
     * The promise of a lock, not who has it: a bound of all leases is on disk, and a server that
     * starts again grants nothing until they have ended.
     */
    LEASES("leases"),
    /** What the operating system got, unless the power fails. */
    FILES("files"),
    /** Nothing. */
    MEMORY("memory");

    private final String word;

    Durability(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }

    /** Whether what was promised holds after all servers have lost their power. */
    boolean keepsPromises() {
      return this == SYNCED || this == LEASES;
    }
  }

  /** What a system can do. */
  enum Ability {
    LOCK_BLOCKING,
    LOCK_ASYNC,
    INCREMENT_BLOCKING,
    INCREMENT_ASYNC,
    /** Each caller may have a client object of its own. */
    SEPARATE_CLIENTS
  }

  /**
   * What drives it.
   *
   * @param main class of the driver
   * @param arguments of it
   * @param library directory with its libraries, in that of all drivers or elsewhere; null for
   *     those that the bench itself has
   * @param program that must be on the PATH, if one must
   * @param debianPackage that has the program
   */
  record Driver(
      String main,
      ImmutableList<String> arguments,
      @Nullable String library,
      @Nullable String program,
      @Nullable String debianPackage) {}

  /** Whether it is Testudo, and not one to compare it with. */
  boolean isOwn() {
    return driver.library() == null;
  }

  /** Whether what it keeps outlives one of its servers. */
  boolean isReplicated() {
    return servers > 1;
  }

  /** What it keeps of one kind of work. */
  Durability durability(PeerWork.Kind kind) {
    return isOwn() && kind == PeerWork.Kind.LOCK && durability == Durability.SYNCED
        ? Durability.LEASES
        : durability;
  }

  boolean can(PeerWork work) {
    Ability needed = Ability.valueOf(work.kind().name() + "_" + work.use().name());
    return abilities.contains(needed)
        && (work.sharing() == Sharing.SHARED || abilities.contains(Ability.SEPARATE_CLIENTS));
  }
}
