package io.testudo.client.cluster;

import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.client.inquiry.ServerStatus;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.SurveyResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Looks at a cluster. */
public final class Observer {
  /** Once a server has answered, the others have so long to connect and answer, too. */
  private static final Duration PATIENCE = Duration.ofMillis(1_200);

  /** Where some were silent a moment ago, the others, which are connected, have less. */
  private static final Duration SHORT_PATIENCE = Duration.ofMillis(500);

  private final ClusterClient cluster;
  private final Duration timeout;

  /** Whether the connections are there, which the first round trip has to wait for. */
  private boolean warm;

  private Duration patience = SHORT_PATIENCE;

  public Observer(ClusterClient cluster, Duration timeout) {
    this.cluster = cluster;
    this.timeout = timeout;
  }

  /** Whether servers tell this client about themselves. */
  public boolean mayAdminister() {
    return cluster.mayAdminister();
  }

  /**
   * Asks all servers at the same time, no longer than the timeout, and puts together what they say.
   * A server that is down costs a second or two, and not the whole timeout.
   */
  public ClusterView look() throws InterruptedException {
    ServerSet answered = ServerSet.none();
    try {
      if (!warm) {
        patience = patienceAfter(cluster.survey(timeout, atMost(PATIENCE)));
        warm = true;
      }
    } catch (NoQuorumException e) {
      answered = e.answered();
    }
    Optional<CompletableFuture<Answers<ServerStatus>>> asked =
        mayAdminister()
            ? Optional.of(cluster.questions().statuses(atMost(patience)))
            : Optional.empty();
    Optional<CompletableFuture<Answers<MemoryPage>>> memories =
        mayAdminister()
            ? Optional.of(cluster.questions().memories(atMost(patience)))
            : Optional.empty();
    Optional<SurveyResult> survey = Optional.empty();
    if (warm) {
      try {
        survey = Optional.of(cluster.survey(timeout, atMost(patience)));
        patience = patienceAfter(survey.get());
      } catch (NoQuorumException e) {
        answered = e.answered();
      }
    }
    ClusterView view =
        ClusterView.of(
            cluster.thresholds(),
            survey,
            answered,
            asked.isPresent() ? Optional.of(ServerQuestions.await(asked.get())) : Optional.empty(),
            cluster.config().common().print(cluster.config().cluster()),
            cluster.config().principal());
    return memories.isPresent() ? view.with(ServerQuestions.await(memories.get())) : view;
  }

  private Duration atMost(Duration wanted) {
    return wanted.compareTo(timeout) < 0 ? wanted : timeout;
  }

  private static Duration patienceAfter(SurveyResult survey) {
    boolean all = survey.servers().stream().allMatch(ServerView::answered);
    long slowest = survey.servers().stream().mapToLong(ServerView::roundTripNanos).max().orElse(0);
    return all ? PATIENCE : Duration.ofNanos(Math.max(SHORT_PATIENCE.toNanos(), slowest));
  }
}
