package io.testudo.node.config;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.testudo.mutex.client.BackoffBackend;
import io.testudo.mutex.client.LockBackend;
import io.testudo.node.CommandException;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.Thresholds;
import java.util.function.Function;

/** The lock protocols by the names that configurations call them. */
public final class LockBackends {
  /** A protocol, and what it asks of a cluster. */
  private enum Kind {
    BACKOFF(BackoffBackend.NAME, settings -> new BackoffBackend(settings.timing())) {
      @Override
      Thresholds thresholds(int servers, int byzantine, int crashes) {
        return Need.LOCK_ALL_SERVERS.thresholds(servers, byzantine);
      }
    };

    final String backendName;
    final Function<LockSettings, LockBackend> maker;

    Kind(String backendName, Function<LockSettings, LockBackend> maker) {
      this.backendName = backendName;
      this.maker = maker;
    }

    abstract Thresholds thresholds(int servers, int byzantine, int crashes);
  }

  private static final ImmutableSortedMap<String, Kind> KINDS = kinds();

  private LockBackends() {}

  private static ImmutableSortedMap<String, Kind> kinds() {
    ImmutableSortedMap.Builder<String, Kind> kinds = ImmutableSortedMap.naturalOrder();
    for (Kind kind : Kind.values()) {
      kinds.put(kind.backendName, kind);
    }
    return kinds.buildOrThrow();
  }

  private static Kind kind(String name) {
    Kind kind = KINDS.get(name);
    if (kind == null) {
      throw new CommandException(
          "There is no lock backend '%s'; choose one of %s."
              .formatted(name, String.join(", ", KINDS.keySet())));
    }
    return kind;
  }

  /** All that there are. */
  public static ImmutableList<String> names() {
    return KINDS.keySet().asList();
  }

  /** Those that the settings use, the usual one first. */
  public static ImmutableList<LockBackend> of(LockSettings settings) {
    ImmutableList.Builder<LockBackend> backends = ImmutableList.builder();
    backends.add(kind(settings.backend()).maker.apply(settings));
    for (String name : settings.backends()) {
      if (!name.equals(settings.backend())) {
        backends.add(kind(name).maker.apply(settings));
      }
    }
    return backends.build();
  }

  /**
   * Refuses a cluster that is too small for what it is to bear.
   *
   * @throws QuorumConfigurationException with the reason
   */
  public static void check(LockSettings settings, int servers, int byzantine) {
    for (String name : settings.backends()) {
      Thresholds unused = kind(name).thresholds(servers, byzantine, settings.crashes());
    }
  }
}
