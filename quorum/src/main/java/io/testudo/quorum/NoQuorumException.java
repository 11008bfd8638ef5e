package io.testudo.quorum;

/** The time for an operation was over before enough servers had answered. */
public final class NoQuorumException extends TestudoException {
  private static final long serialVersionUID = 1L;

  private final long answered;

  /**
   * @param answered the servers whose answers count
   * @param servers how many servers the cluster has
   * @param needed how many answers were needed
   */
  public NoQuorumException(ServerSet answered, int servers, int needed, Outcome outcome) {
    super(
        "%d of %d servers answered, %d %s needed"
            .formatted(answered.size(), servers, needed, needed == 1 ? "is" : "are"),
        outcome);
    this.answered = answered.bits();
  }

  /** The servers that did answer; the others are down, cut off, slow, or silent on purpose. */
  public ServerSet answered() {
    return new ServerSet(answered);
  }
}
