package io.testudo.mutex.dht.vote;

import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.BoundedMap;
import java.util.Map;

/**
 * What all boxes of one node share: the names of their states, room for those who wait, and marks
 * of requests that are over. Each box may have much of it, and all together no more than there is.
 */
final class BoxRoom {
  /** Requests that are over; the loss of a mark may cost a lease, never exclusion. */
  private static final int MAX_LEFT = 262_144;

  /** Beyond so many the next have to ask again. */
  private static final int MAX_WAITING = 262_144;

  private record Mark(ReplicaName replica, RequestId id) {}

  private final long incarnation;
  private final Map<Mark, Boolean> left = BoundedMap.byAge(MAX_LEFT);
  private long lastState;
  private int waiting;

  BoxRoom(long incarnation) {
    this.incarnation = incarnation;
  }

  /** A name that no other state of a vote has. */
  GrantId nextState() {
    return new GrantId(incarnation, ++lastState);
  }

  void leave(ReplicaName replica, RequestId id) {
    left.put(new Mark(replica, id), true);
  }

  boolean hasLeft(ReplicaName replica, RequestId id) {
    return left.containsKey(new Mark(replica, id));
  }

  boolean isFull() {
    return waiting >= MAX_WAITING;
  }

  /** So many more wait, or fewer. */
  void changed(int by) {
    waiting += by;
  }
}
