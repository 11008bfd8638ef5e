package io.testudo.client.config;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Maps;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.mutex.dht.ring.RingProtocols;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
      Map<String, String> own = chosenOf(settings, protocol.name(), protocol.choices());
      own.forEach((key, text) -> chosen.put(protocol.name() + "." + key, text));
      LockProtocol unused = protocol.withChoices(new ChosenValues(protocol.name(), own));
    }
    for (RingProtocol protocol : RingProtocols.ALL) {
      Map<String, String> own = chosenOf(settings, protocol.name(), protocol.choices());
      own.forEach((key, text) -> chosen.put(protocol.name() + "." + key, text));
      RingProtocol unused = protocol.withChoices(own);
    }
    return chosen.buildOrThrow();
  }

  private static Map<String, String> chosenOf(
      Settings settings, String protocol, List<LockChoice> choices) {
    Map<String, String> own = new TreeMap<>();
    for (LockChoice choice : choices) {
      String text = settings.text("lock." + protocol + "." + choice.key(), choice.standard());
      if (!text.equals(choice.standard())) {
        own.put(choice.key(), text);
      }
    }
    return own;
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

  /** The protocol of a ring, if that is what serves the locks. */
  public Optional<RingProtocol> ring() {
    return RingProtocols.find(backend)
        .map(protocol -> protocol.withTiming(timing).withChoices(chosenOf(backend)));
  }

  /** Every protocol of a cluster that is in use, the usual one first; none in a ring. */
  public ImmutableList<LockProtocol> protocols() {
    if (ring().isPresent()) {
      return ImmutableList.of();
    }
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
                    "There is no lock backend '%s' for clusters; choose one of %s, or for all names of a ring one of %s."
                        .formatted(
                            name,
                            LockProtocols.ALL.protocols().stream()
                                .map(LockProtocol::name)
                                .sorted()
                                .collect(Collectors.joining(", ")),
                            RingProtocols.names())))
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
    if (ring().isPresent() && (byzantine > 0 || !prefixes.isEmpty())) {
      throw new ConfigurationException(
          "The lock backend '%s' is that of a ring, which has no b (with zone and tls a share of the space may lie) and one backend for all names; set byzantine to 0 and leave lock.prefixes empty, or choose another."
              .formatted(backend));
    }
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
