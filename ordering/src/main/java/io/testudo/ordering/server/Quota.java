package io.testudo.ordering.server;

import io.testudo.quorum.protocol.Shares;

/** What one object has of the room that a server has for all, in the name of who made it. */
final class Quota {
  /** As much is taken for every object: a small one can always go on, and become smaller. */
  static final long LEAST_BYTES = 16 << 10;

  /** The same for an object that was deleted: all that is kept of it is what it must not forget. */
  static final long TOMBSTONE_BYTES = 2 << 10;

  private final Shares room;
  private String maker;
  private long taken;
  private long least = LEAST_BYTES;

  /** Has nothing yet. */
  Quota(Shares room, String maker) {
    this.room = room;
    this.maker = maker;
  }

  String maker() {
    return maker;
  }

  /** Has as much as this from now on, if there is room for it. */
  boolean take(long bytes) {
    if (!hasRoomFor(bytes)) {
      return false;
    }
    settle(bytes);
    return true;
  }

  boolean hasRoomFor(long bytes) {
    long due = Math.max(least, bytes);
    return due <= taken || room.hasRoomFor(maker, due - taken);
  }

  /** Has as much as this from now on, room or not: it is there already. */
  void settle(long bytes) {
    long due = Math.max(least, bytes);
    room.charge(maker, due - taken);
    taken = due;
  }

  /** The object was deleted, and little is left of it. */
  void bury(long bytes) {
    least = TOMBSTONE_BYTES;
    settle(bytes);
  }

  /** Somebody makes a deleted object anew, if there is room for it. */
  boolean revive(String owner) {
    if (!room.hasRoomFor(owner, LEAST_BYTES)) {
      return false;
    }
    least = LEAST_BYTES;
    passTo(owner);
    settle(taken);
    return true;
  }

  /** It turns out whose it is. */
  void passTo(String owner) {
    room.charge(maker, -taken);
    room.charge(owner, taken);
    maker = owner;
  }
}
