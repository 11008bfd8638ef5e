package io.testudo.quorum;

/**
 * This client lacks a right to a lock or an object. So many servers say so that one of them is
 * correct, or the client itself knows that it has no key.
 */
public final class NotAllowedException extends TestudoException {
  private static final long serialVersionUID = 1L;

  private final Right right;
  private final String name;

  public NotAllowedException(String name, Right right, Outcome outcome) {
    super(
        "This client lacks the right to %s '%s'".formatted(right.rightName(), name),
        outcome,
        "have the right granted first; if it was, its keys may be older than those in use, so bring"
            + " it the new client.keys and cluster.txt");
    this.right = right;
    this.name = name;
  }

  private NotAllowedException(
      String problem, String name, Right right, Outcome outcome, String remedy) {
    super(problem, outcome, remedy);
    this.right = right;
    this.name = name;
  }

  /** Servers refuse what this client says, since it seals with another kind of keys than all do. */
  public static NotAllowedException sealsOtherwise(String name, Right right, Outcome outcome) {
    return new NotAllowedException(
        "This client may not %s '%s', since it does not seal as the servers are told to expect"
            .formatted(right.rightName(), name),
        name,
        right,
        outcome,
        "bring it the common.conf of the cluster, whose 'seals' counts, with cluster.txt and the"
            + " keys that go with it");
  }

  /** The right that it lacks. */
  public Right right() {
    return right;
  }

  /** What it lacks the right to. */
  public String name() {
    return name;
  }
}
