package io.testudo.client.inquiry;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.TimerKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The client machine that tells servers what speaks against any of them. The first suspicion goes
 * out at once, those that follow are gathered for a while. Nothing is sent again if it is lost.
 */
public final class Reporter extends Machine<ServerId> {
  /** For so long suspicions are gathered. */
  private static final long GATHER_NANOS = 1_000_000_000L;

  /** Notes a suspicion; answered at once. */
  public record Note(Suspect suspect) implements Call<Boolean> {}

  /** Sends what was gathered; answered when it is on its way. */
  public record Flush() implements Call<Boolean> {}

  private record Gathered() implements TimerKey {}

  /** What reports are one by. */
  private record Key(ServerId server, Suspect.Kind kind) {}

  private final ServerSet everyone;

  /** At most one for each server and kind. */
  private final Map<Key, Suspect> gathered = new LinkedHashMap<>();

  private boolean gathers;

  public Reporter(int servers) {
    this.everyone = ServerSet.firstN(servers);
    onCall(Note.class, this::onNote);
    onCall(Flush.class, this::onFlush);
    onTimer(Gathered.class, this::onGathered);
  }

  private void onNote(CallId<Boolean> call, Note note) {
    Suspect suspect = note.suspect();
    gathered.merge(new Key(suspect.server(), suspect.kind()), suspect, Suspect::plus);
    if (!gathers) {
      report();
      gathers = true;
      setTimer(new Gathered(), GATHER_NANOS);
    }
    complete(call, true);
  }

  private void onFlush(CallId<Boolean> call, Flush flush) {
    report();
    complete(call, true);
  }

  private void onGathered(Gathered over) {
    gathers = !gathered.isEmpty();
    report();
    if (gathers) {
      setTimer(over, GATHER_NANOS);
    }
  }

  private void report() {
    if (gathered.isEmpty()) {
      return;
    }
    ReportSuspects message =
        new ReportSuspects(
            gathered.values().stream()
                .limit(ReportSuspects.MAX_SUSPECTS)
                .collect(ImmutableList.toImmutableList()));
    gathered.clear();
    for (ServerId server : everyone) {
      send(server, message);
    }
  }
}
