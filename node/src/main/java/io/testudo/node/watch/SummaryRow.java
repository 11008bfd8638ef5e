package io.testudo.node.watch;

import io.testudo.client.cluster.ClusterView;
import io.testudo.client.config.ClientConfig;
import java.util.stream.Collectors;

/** A cluster as programs are told of it. */
public record SummaryRow(
    String cluster,
    int servers,
    int byzantine,
    String seals,
    int quorum,
    int failing,
    int lying,
    int faultsLeft,
    boolean hasQuorum) {
  public static SummaryRow of(ClientConfig config, ClusterView view) {
    return new SummaryRow(
        config.cluster().name(),
        config.cluster().servers(),
        config.cluster().byzantine(),
        config.common().seals().schemeName(),
        view.thresholds().quorum(),
        view.failing(),
        view.lying(),
        view.faultsLeft(),
        view.hasQuorum());
  }

  /** The same for people. */
  public static String words(ClientConfig config, ClusterView view) {
    String failing =
        view.servers().stream()
            .filter(server -> !server.faults().isEmpty())
            .map(server -> server.server().toString())
            .collect(Collectors.joining(", "));
    String left =
        view.faultsLeft() >= 0
            ? "%d more may fail".formatted(view.faultsLeft())
            : view.lying() > config.cluster().byzantine()
                ? "more than it tolerates: its promises may be broken"
                : "more than it tolerates: it waits for them, and breaks no promise";
    return "Cluster %s tolerates %d of %d: %s; %s%s"
        .formatted(
            config.cluster().name(),
            config.cluster().byzantine(),
            config.cluster().servers(),
            failing.isEmpty()
                ? "none fails"
                : failing + (view.failing() == 1 ? " counts" : " count") + " as failing",
            left,
            view.hasQuorum() ? "." : ". Fewer than a quorum answer: run 'testudo doctor'.");
  }
}
