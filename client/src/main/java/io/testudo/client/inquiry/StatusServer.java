package io.testudo.client.inquiry;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.StateRecord;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The server machine: says how this server is, and keeps what clients report of all servers, in
 * memory only. For each reporter, server and kind there is one report, so that nobody can push the
 * reports of others out by repeating a few.
 */
public final class StatusServer extends Machine<ClientId> {
  /** A report that was not repeated for so long is over: whatever was wrong is mended, or gone. */
  static final long EXPIRY_MILLIS = 24 * 3_600_000L;

  /**
   * As many reports are kept; of who has reported most, the one that was repeated longest ago goes
   * first.
   */
  static final int MAX_KEPT = 1_024;

  private final ServerId self;
  private final int servers;
  private final String version;
  private final Supplier<String> settings;
  private final int maxKept;
  private long startNanos;

  /** What reports are one by. */
  private record Key(String reporter, ServerId suspect, Suspect.Kind kind) {}

  /** Replaced as a whole: other threads may look. */
  private ImmutableMap<ServerId, Integer> accusers = ImmutableMap.of();

  /** The one that was repeated longest ago first. */
  private final Map<Key, SuspectReport> reports = new LinkedHashMap<>();

  /**
   * Makes a machine.
   *
   * @param servers how many there are
   * @param version of this program
   * @param settings a fingerprint of what all members must agree on; it may change
   */
  public StatusServer(ServerId self, int servers, String version, Supplier<String> settings) {
    this(self, servers, version, settings, MAX_KEPT);
  }

  StatusServer(ServerId self, int servers, String version, Supplier<String> settings, int maxKept) {
    this.self = self;
    this.servers = servers;
    this.version = version;
    this.settings = settings;
    this.maxKept = maxKept;
    onMessage(AskStatus.class, this::onAskStatus);
    onMessage(ReportSuspects.class, this::onReportSuspects);
    onMessage(ClearReports.class, this::onClearReports);
  }

  @Override
  protected void onStarted(List<StateRecord> recovered) {
    startNanos = now().nanos();
  }

  private void onClearReports(ClientId from, ClearReports message) {
    reports.keySet().removeIf(key -> key.suspect().equals(message.server()));
    countAccusers();
    answer(from, message.nonce());
  }

  private void onAskStatus(ClientId from, AskStatus question) {
    answer(from, question.nonce());
  }

  private void answer(ClientId from, long nonce) {
    long oldestMillis = now().wallMillis() - EXPIRY_MILLIS;
    if (reports.values().removeIf(report -> report.lastWallMillis() < oldestMillis)) {
      countAccusers();
    }
    List<SuspectReport> latestFirst = Lists.reverse(List.copyOf(reports.values()));
    send(
        from,
        new ServerStatus(
            nonce,
            self,
            version,
            settings.get(),
            (now().nanos() - startNanos) / 1_000_000,
            now().wallMillis(),
            latestFirst.stream()
                .limit(ServerStatus.MAX_REPORTS)
                .collect(ImmutableList.toImmutableList())));
  }

  private void onReportSuspects(ClientId from, ReportSuspects message) {
    for (Suspect suspect : message.suspects()) {
      if (suspect.server().index() >= servers) {
        continue; // There is no such server: whoever says so is of another cluster.
      }
      Key key = new Key(from.principal(), suspect.server(), suspect.kind());
      SuspectReport before = reports.remove(key);
      Suspect sum = before == null ? suspect : before.suspect().plus(suspect);
      reports.put(key, new SuspectReport(from.principal(), sum, now().wallMillis()));
      if (reports.size() > maxKept) {
        reports.remove(oldestOfWhoReportsMost());
      }
    }
    countAccusers();
  }

  /** Each report is of another principal: one has one for each server and kind. */
  private void countAccusers() {
    Map<ServerId, Integer> counts = new TreeMap<>();
    for (Key key : reports.keySet()) {
      if (key.kind() == Suspect.Kind.CONTRADICTION) {
        counts.merge(key.suspect(), 1, Integer::sum);
      }
    }
    accusers = ImmutableMap.copyOf(counts);
  }

  /**
   * How many principals say of a server that it said what no correct one says, as of a moment ago;
   * for whoever asks, on any thread. Any principal may have made it up.
   */
  public ImmutableMap<ServerId, Integer> accusers() {
    return accusers;
  }

  /** So that nobody can push out what others have reported. */
  private Key oldestOfWhoReportsMost() {
    Map<String, Integer> counts = new HashMap<>();
    reports.keySet().forEach(key -> counts.merge(key.reporter(), 1, Integer::sum));
    int most = Collections.max(counts.values());
    return reports.keySet().stream()
        .filter(key -> counts.getOrDefault(key.reporter(), 0) == most)
        .findFirst()
        .orElseThrow();
  }
}
