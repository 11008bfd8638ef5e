package io.testudo.quorum.sim;

/** What can go wrong in a simulated world without anybody lying. */
public enum FaultKind {
  LOSS("a message is lost"),
  DUPLICATION("a message arrives twice"),
  REPLAY("an old message arrives again"),
  REORDERING("a message overtakes an earlier one"),
  PARTITION("some nodes are cut off, both ways"),
  ONE_WAY("some nodes are cut off in one direction"),
  CLOG("a link becomes very slow"),
  CLIENT_PAUSE("a client stands still for a while"),
  SERVER_PAUSE("a server stands still for a while"),
  SUSPEND("a node stands still and its monotonic clock with it"),
  DRIFT("a clock runs fast or slow"),
  WALL_JUMP("a wall clock is set, forward or back"),
  CLIENT_CRASH("a client dies and a new one takes its place"),
  CRASH_KEPT("a server dies, and its unsynced writes survive"),
  CRASH_LOST_TAIL("a server dies, and its unsynced writes are lost"),
  CRASH_TORN("a server dies, and a part of its unsynced writes survives"),
  CRASH_AT_WRITE("a server dies at a write or sync"),
  DISK_LOSS("a server loses its disk and is readmitted"),
  LONG_SLEEP("a node stands still for minutes"),
  FAR_CLOCK("a client's wall clock is off by hours"),
  LATE_LIAR("a server begins to lie after another was readmitted"),
  ROGUE_MESSAGE("a client with few rights says something extreme");

  private final String meaning;

  FaultKind(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }
}
