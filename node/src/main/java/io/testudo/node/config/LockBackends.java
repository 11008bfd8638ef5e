package io.testudo.node.config;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.testudo.mutex.client.BackoffBackend;
import io.testudo.mutex.client.LockBackend;
import io.testudo.node.CommandException;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.Thresholds;

/** The lock protocols by the names that configurations call them. */
public final class LockBackends {
  /** A protocol, and what it asks of a cluster. */
  private interface Kind {
    LockBackend make(LockSettings settings);

    Thresholds thresholds(LockSettings settings, int servers, int byzantine);
  }

  private static final ImmutableSortedMap<String, Kind> KINDS =
      ImmutableSortedMap.of(BackoffBackend.NAME, new Backoff());

  private LockBackends() {}

  private static final class Backoff implements Kind {
    @Override
    public LockBackend make(LockSettings settings) {
      return new BackoffBackend(settings.timing());
    }

    @Override
    public Thresholds thresholds(LockSettings settings, int servers, int byzantine) {
      return Need.LOCK_ALL_SERVERS.thresholds(servers, byzantine);
    }
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
    backends.add(kind(settings.backend()).make(settings));
    for (String name : settings.backends()) {
      if (!name.equals(settings.backend())) {
        backends.add(kind(name).make(settings));
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
      Thresholds unused = kind(name).thresholds(settings, servers, byzantine);
    }
  }
}
