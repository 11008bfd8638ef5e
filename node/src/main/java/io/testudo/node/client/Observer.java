package io.testudo.node.client;

import io.testudo.node.inquiry.Inquirer.Answers;
import io.testudo.node.inquiry.ServerStatus;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.ping.SurveyResult;
import java.time.Duration;
import java.util.Optional;

/** Looks at a cluster. */
public final class Observer {
  private final ClusterClient cluster;
  private final Duration timeout;

  /** Whether the connections are there, which the first round trip has to wait for. */
  private boolean warm;

  public Observer(ClusterClient cluster, Duration timeout) {
    this.cluster = cluster;
    this.timeout = timeout;
  }

  /** Whether servers tell this client about themselves. */
  public boolean mayAdminister() {
    return cluster.mayAdminister();
  }

  /** Asks all servers, no longer than the timeout, and puts together what they say. */
  public ClusterView look() throws InterruptedException {
    Optional<SurveyResult> survey;
    ServerSet answered = ServerSet.none();
    try {
      if (!warm) {
        SurveyResult unused = cluster.survey(timeout);
        warm = true;
      }
      survey = Optional.of(cluster.survey(timeout));
    } catch (NoQuorumException e) {
      survey = Optional.empty();
      answered = e.answered();
    }
    Optional<Answers<ServerStatus>> statuses =
        mayAdminister() ? Optional.of(cluster.statuses(patience(survey))) : Optional.empty();
    return ClusterView.of(
        cluster.thresholds(),
        survey,
        answered,
        statuses,
        cluster.config().common().print(cluster.config().cluster()),
        System.currentTimeMillis());
  }

  /** Where servers were silent a moment ago, there is no need to wait for them once more. */
  private Duration patience(Optional<SurveyResult> survey) {
    boolean allHere =
        survey.isPresent() && survey.get().servers().stream().allMatch(view -> view.answered());
    Duration shorter = timeout.dividedBy(4);
    return allHere ? timeout : shorter.isZero() ? timeout : shorter;
  }
}
