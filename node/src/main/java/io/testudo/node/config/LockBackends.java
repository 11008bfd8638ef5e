package io.testudo.node.config;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.mutex.client.BackoffBackend;
import io.testudo.mutex.client.LockBackend;
import io.testudo.mutex.client.SigmaBackend;
import io.testudo.mutex.client.StrawmanBackend;
import io.testudo.node.CommandException;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.StateRecord;
import java.util.Map;

/** The lock protocols by the names that configurations call them. */
public final class LockBackends {
  /** A protocol, and what it asks of a cluster. */
  private interface Kind {
    LockBackend make(LockSettings settings);

    Thresholds thresholds(LockSettings settings, int servers, int byzantine);
  }

  private static final ImmutableSortedMap<String, Kind> KINDS =
      ImmutableSortedMap.of(
          BackoffBackend.NAME,
          new Backoff(),
          SigmaBackend.NAME,
          new Sigma(),
          StrawmanBackend.NAME,
          new Strawman());

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

  private static final class Sigma implements Kind {
    @Override
    public LockBackend make(LockSettings settings) {
      return new SigmaBackend(settings.timing());
    }

    /** Where servers may lie, it is the hardened one; else they may forget. */
    @Override
    public Thresholds thresholds(LockSettings settings, int servers, int byzantine) {
      return byzantine > 0
          ? Need.SIGMA_HARDENED.thresholds(servers, byzantine)
          : Need.SIGMA.thresholds(servers, settings.crashes());
    }
  }

  /** For comparison only; it says so in the log. */
  private static final class Strawman implements Kind {
    @Override
    public LockBackend make(LockSettings settings) {
      return new StrawmanBackend(settings.timing());
    }

    @Override
    public Thresholds thresholds(LockSettings settings, int servers, int byzantine) {
      return StrawmanBackend.thresholds(servers, byzantine);
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

  /** All that keep anything on disk. */
  public static ImmutableList<String> namesWithJournal(LockSettings settings) {
    return KINDS.entrySet().stream()
        .filter(kind -> keeps(kind.getValue().make(settings)))
        .map(Map.Entry::getKey)
        .collect(ImmutableList.toImmutableList());
  }

  /** Whether its servers keep anything on disk. */
  public static boolean keeps(LockBackend backend) {
    return backend.types().all().stream()
        .anyMatch(type -> StateRecord.class.isAssignableFrom(type.type()));
  }

  /** Those that the settings use, the usual one first. */
  public static ImmutableList<LockBackend> of(LockSettings settings) {
    ImmutableList.Builder<LockBackend> backends = ImmutableList.builder();
    ImmutableSortedSet<String> names = settings.backends();
    if (names.contains(settings.backend())) {
      backends.add(kind(settings.backend()).make(settings));
    }
    for (String name : names) {
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
