package io.testudo.quorum.sim;

/** A frame under way. */
final class Parcel {
  private final int from;
  private final int to;
  private final long session;
  private final SimFrame frame;
  private final boolean isLie;

  /**
   * Makes a parcel.
   *
   * @param from the node that sends it
   * @param to the node where it goes
   * @param session of the client at either end: a frame of a dead session reaches nobody
   * @param isLie whether a correct server would not have sent it
   */
  Parcel(int from, int to, long session, SimFrame frame, boolean isLie) {
    this.from = from;
    this.to = to;
    this.session = session;
    this.frame = frame;
    this.isLie = isLie;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  long session() {
    return session;
  }

  SimFrame frame() {
    return frame;
  }

  boolean isLie() {
    return isLie;
  }
}
