package io.testudo.client.config;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Maps;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.BackendTable;
import io.testudo.mutex.protocol.ChosenValues;
import io.testudo.mutex.protocol.LockChoice;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.Thresholds;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How locks are served; the same for all members.
 *
 * @param backend the protocol of names for which no prefix says otherwise
 * @param prefixes protocols of names that start so, or {@code closed}; the longest prefix counts
 * @param fenceFloors tokens of names that start so are above these, after a change of protocol
 * @param crashes how many servers may forget at a time, for protocols that tolerate no liars
 * @param chosen what differs from the usual of the protocols' choices, by the name of the protocol,
 *     a dot and the key
 */
public record LockSettings(
    String backend,
    ImmutableSortedMap<String, String> prefixes,
    ImmutableSortedMap<String, Long> fenceFloors,
    int crashes,
    LockTiming timing,
    ImmutableSortedMap<String, String> chosen) {
  public static final String DEFAULT_BACKEND = BackoffProtocol.NAME;

  /** With tokens from the first on, and with nothing chosen. */
  public LockSettings(
      String backend, ImmutableSortedMap<String, String> prefixes, int crashes, LockTiming timing) {
    this(backend, prefixes, ImmutableSortedMap.of(), crashes, timing, ImmutableSortedMap.of());
  }

  static LockSettings of(Settings settings) {
    LockTiming standard = LockTiming.standard();
    try {
      return new LockSettings(
          settings.text("lock.backend", DEFAULT_BACKEND),
          ImmutableSortedMap.copyOf(settings.texts("lock.prefixes")),
          fenceFloors(settings),
          settings.number("lock.crashes", 1),
          new LockTiming(
              settings.duration("lock.delay", Duration.ofNanos(standard.delayNanos())).toNanos(),
              settings.fraction("lock.drift", standard.drift()),
              settings
                  .duration("lock.refresh", Duration.ofNanos(standard.refreshNanos()))
                  .toNanos(),
              settings
                  .duration("lock.max-hold", Duration.ofNanos(standard.maxHoldNanos()))
                  .toNanos(),
              settings
                  .duration("lock.max-skew", Duration.ofMillis(standard.maxSkewMillis()))
                  .toMillis()),
          chosen(settings));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw settings.wrong("lock", "cannot be: " + e.getMessage());
    }
  }

  /** Only what is not as usual, so that to write the usual down makes no difference. */
  private static ImmutableSortedMap<String, String> chosen(Settings settings) {
    ImmutableSortedMap.Builder<String, String> chosen = ImmutableSortedMap.naturalOrder();
    for (LockProtocol protocol : LockProtocols.ALL.protocols()) {
      Map<String, String> own = new TreeMap<>();
      for (LockChoice choice : protocol.choices()) {
        String key = protocol.name() + "." + choice.key();
        String text = settings.text("lock." + key, choice.standard());
        if (!text.equals(choice.standard())) {
          own.put(choice.key(), text);
          chosen.put(key, text);
        }
      }
      LockProtocol unused = protocol.withChoices(new ChosenValues(protocol.name(), own));
    }
    return chosen.buildOrThrow();
  }

  private static ImmutableSortedMap<String, Long> fenceFloors(Settings settings) {
    ImmutableSortedMap.Builder<String, Long> floors = ImmutableSortedMap.naturalOrder();
    settings
        .texts("lock.fence-floors")
        .forEach((prefix, floor) -> floors.put(prefix, Long.parseLong(floor)));
    return floors.buildOrThrow();
  }

  /** Which protocol serves which names. */
  public BackendTable table() {
    BackendTable table = BackendTable.all(backend);
    for (Map.Entry<String, String> choice : prefixes.entrySet()) {
      long floor = fenceFloors.getOrDefault(choice.getKey(), 0L);
      table = table.with(choice.getKey(), new BackendTable.Binding(choice.getValue(), floor));
    }
    return table;
  }

  /** The names of all protocols that are in use. */
  public ImmutableSortedSet<String> backends() {
    return ImmutableSortedSet.copyOf(table().backends());
  }

  /** Every protocol that is in use, the usual one first. */
  public ImmutableList<LockProtocol> protocols() {
    return Stream.concat(
            backends().stream().filter(backend::equals),
            backends().stream().filter(name -> !name.equals(backend)))
        .map(this::protocol)
        .collect(ImmutableList.toImmutableList());
  }

  private LockProtocol protocol(String name) {
    return LockProtocols.ALL
        .find(name)
        .orElseThrow(
            () ->
                new ConfigurationException(
                    "There is no lock backend '%s'; choose one of %s."
                        .formatted(
                            name,
                            LockProtocols.ALL.protocols().stream()
                                .map(LockProtocol::name)
                                .sorted()
                                .collect(Collectors.joining(", ")))))
        .withTiming(timing)
        .withChoices(new ChosenValues(name, chosenOf(name)));
  }

  /** What members have to choose alike; whom to ask first is a matter of each. */
  Map<String, String> agreed() {
    return Maps.filterKeys(chosen, key -> !key.equals(BackoffProtocol.NAME + ".access"));
  }

  private Map<String, String> chosenOf(String name) {
    String start = name + ".";
    return chosen.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(start))
        .collect(
            Collectors.toMap(
                entry -> entry.getKey().substring(start.length()), Map.Entry::getValue));
  }

  /**
   * Refuses a cluster that is too small for the faults it is to tolerate.
   *
   * @throws QuorumConfigurationException with the reason
   */
  void check(int servers, int byzantine) {
    for (LockProtocol protocol : protocols()) {
      Thresholds thresholds = thresholds(protocol, servers, byzantine);
      if (!thresholds.need().toleratesLiars()) {
        Thresholds unused =
            thresholds.need().thresholds(thresholds.servers(), crashes, thresholds.quorum());
      }
    }
  }

  private Thresholds thresholds(LockProtocol protocol, int servers, int byzantine) {
    try {
      return protocol.thresholds(servers, byzantine, LockOptions.Servers.ALL);
    } catch (QuorumConfigurationException e) {
      String key = protocol.name() + ".quorums";
      String quorums = chosen.getOrDefault(key, QuorumKind.STANDARD.word());
      throw CommonSettings.because("lock." + key, QuorumKind.named(quorums), e);
    }
  }
}
