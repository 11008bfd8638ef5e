package io.testudo.quorum.sim;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** What happened in a run, or in many: so that nobody trusts a campaign in which nothing did. */
public final class RunStats {
  /** A cell each, since a run counts some kinds hundreds of times. */
  private final Map<FaultKind, long[]> faults = new EnumMap<>(FaultKind.class);

  private long steps;
  private long heaviestBytes;
  private long operations;
  private long liesTold;
  private long liesCounted;
  private final Map<String, Long> liesHeeded = new TreeMap<>();
  private long messagesDigest;

  RunStats() {}

  void fault(FaultKind kind) {
    add(kind, 1);
  }

  private void add(FaultKind kind, long count) {
    long[] cell = faults.get(kind);
    if (cell == null) {
      faults.put(kind, new long[] {count});
    } else {
      cell[0] += count;
    }
  }

  /** A node sends something at a time. */
  void sent(long atNanos, Parcel parcel) {
    mix(atNanos);
    mix(((long) parcel.from() << 32) | parcel.to());
    mix(parcel.frame().hash());
  }

  /** Of any two orders of the same numbers the digests differ. */
  private void mix(long number) {
    messagesDigest = (Long.rotateLeft(messagesDigest, 29) ^ number) * 0x9E3779B97F4A7C15L;
  }

  /** A client or server keeps so many bytes. */
  void weighed(long bytes) {
    heaviestBytes = Math.max(heaviestBytes, bytes);
  }

  void step() {
    steps++;
  }

  void operation() {
    operations++;
  }

  void lieTold() {
    liesTold++;
  }

  void lieCounted() {
    liesCounted++;
  }

  /** A lie counted for something, as a message of this type. */
  void lieHeeded(String type) {
    liesHeeded.merge(type, 1L, Long::sum);
  }

  void add(RunStats other) {
    other.faults.forEach((kind, cell) -> add(kind, cell[0]));
    steps += other.steps;
    heaviestBytes = Math.max(heaviestBytes, other.heaviestBytes);
    operations += other.operations;
    liesTold += other.liesTold;
    liesCounted += other.liesCounted;
    other.liesHeeded.forEach((type, count) -> liesHeeded.merge(type, count, Long::sum));
    messagesDigest += other.messagesDigest; // Runs end in any order.
  }

  /** How often each kind of fault befell a node or a message. */
  public Map<FaultKind, Long> faults() {
    Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    faults.forEach((kind, cell) -> counts.put(kind, cell[0]));
    return counts;
  }

  public int kindsOfFaults() {
    return faults.size();
  }

  /** Steps of correct servers and of clients. */
  public long steps() {
    return steps;
  }

  /** The most bytes that a client or server was seen to keep, in runs in which somebody looked. */
  public long heaviestBytes() {
    return heaviestBytes;
  }

  /** Operations that clients began. */
  public long operations() {
    return operations;
  }

  /** Messages that a liar sent and that a correct server in its place would not have sent then. */
  public long liesTold() {
    return liesTold;
  }

  /**
   * Differs if a node has sent other bytes, to another one or at another time. Code that was
   * rearranged, and does what it did, gives the same from the same seeds.
   */
  public long messagesDigest() {
    return messagesDigest;
  }

  /** Lies that a client counted in a tally. */
  public long liesCounted() {
    return liesCounted;
  }

  /** Lies that counted for something, by the types of the messages that told them. */
  public Map<String, Long> liesHeeded() {
    return Collections.unmodifiableMap(liesHeeded);
  }
}
