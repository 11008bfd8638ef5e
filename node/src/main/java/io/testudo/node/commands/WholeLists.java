package io.testudo.node.commands;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.node.CommandException;
import io.testudo.ordering.message.ObjectList;
import io.testudo.quorum.Thresholds;
import java.time.Duration;

/**
 * Lists of objects that enough servers told to their ends. A list that the time cut off looks like
 * a short one: who took it for whole would leave objects out and not know.
 */
final class WholeLists {
  private WholeLists() {}

  /** Asks every server for the objects whose names start so. */
  static Answers<ObjectList> ask(ClusterClient cluster, String prefix, Duration patience)
      throws InterruptedException {
    return require(cluster.questions().objectLists(prefix, patience), cluster.thresholds());
  }

  /**
   * The answers, if they are enough.
   *
   * @throws CommandException if they are not
   */
  static Answers<ObjectList> require(Answers<ObjectList> answers, Thresholds thresholds) {
    if (!thresholds.isQuorum(answers.complete())) {
      throw new CommandException(
          ("%d of %d servers told of their objects to the end, %d are needed; give them more time by"
                  + " --timeout, or run 'testudo doctor'.")
              .formatted(answers.complete().size(), thresholds.servers(), thresholds.quorum()));
    }
    return answers;
  }
}
