package io.testudo.node.client;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.node.CommandException;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.TestudoException;

/** What went wrong, in words for the user of a command. */
public final class Failures {
  private Failures() {}

  /**
   * A failure with what to do.
   *
   * @param exitCode what the process is to end with
   */
  public static CommandException explain(
      ClusterClient cluster, TestudoException failure, int exitCode) {
    if (!(failure instanceof NoQuorumException || failure instanceof UnknownOutcomeException)) {
      return new CommandException(exitCode, String.valueOf(failure.getMessage()), failure);
    }
    // The first lists them itself.
    String states = failure instanceof NoQuorumException ? "" : "; " + cluster.states();
    return new CommandException(
        exitCode,
        "%s%s ('testudo doctor' tells more)".formatted(failure.getMessage(), states),
        failure);
  }
}
