package io.testudo.node.commands;

import io.testudo.client.config.ClientConfig;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Grant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a client may list. */
final class ListedPrefixes {
  private ListedPrefixes() {}

  /** The prefix, if one is asked for; else the shortest that cover all that the client may read. */
  static List<String> of(ClientConfig config, @Nullable String asked) {
    if (asked != null) {
      config.require(Right.READ, asked);
      return List.of(asked);
    }
    List<String> all = orNone(config);
    if (all.isEmpty()) {
      config.require(Right.READ, "");
    }
    return all;
  }

  /** The shortest that cover all that the client may read. */
  static List<String> orNone(ClientConfig config) {
    TreeSet<String> readable =
        config.cluster().rights().grantsOf(config.principal()).stream()
            .filter(grant -> grant.rights().contains(Right.READ))
            .map(Grant::prefix)
            .collect(Collectors.toCollection(TreeSet::new));
    return readable.stream()
        .filter(
            one ->
                readable.stream().noneMatch(other -> !other.equals(one) && one.startsWith(other)))
        .toList();
  }
}
