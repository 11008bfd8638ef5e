package io.testudo.client.roster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Since when somebody has seen members with their present beats, on its monotonic clock. */
public final class MemberSightings {
  private final LeaseRule rule;
  private Map<Long, Sighting> seen = new LinkedHashMap<>();

  private record Sighting(Beat last, long sinceNanos) {}

  public MemberSightings(LeaseRule rule) {
    this.rule = rule;
  }

  /** Sees all there are. What is older than what was seen before does no harm: it delays. */
  public void see(Stream<Member> members, long nowNanos) {
    Map<Long, Sighting> now = new LinkedHashMap<>();
    members.forEach(
        member -> {
          Sighting before = seen.get(member.id());
          boolean isSame = before != null && before.last().beats() == member.beats();
          now.put(member.id(), isSame ? before : new Sighting(Beat.of(member), nowNanos));
        });
    seen = now;
  }

  /** Those who were seen with the same beats for long enough to be evicted, with these beats. */
  public List<Beat> overdue(long nowNanos) {
    List<Beat> overdue = new ArrayList<>();
    for (Sighting sighting : seen.values()) {
      if (leftNanos(sighting, nowNanos) <= 0) {
        overdue.add(sighting.last());
      }
    }
    return overdue;
  }

  /** After how long the next of them may be evicted; empty if there is nobody. */
  public OptionalLong untilNextNanos(long nowNanos) {
    return seen.values().stream().mapToLong(it -> Math.max(0, leftNanos(it, nowNanos))).min();
  }

  /** Begins anew with one that an eviction was tried on. */
  public void tried(Beat last, long nowNanos) {
    seen.computeIfPresent(last.id(), (id, sighting) -> new Sighting(sighting.last(), nowNanos));
  }

  private long leftNanos(Sighting sighting, long nowNanos) {
    return rule.patienceNanos(sighting.last().leaseMillis()) - (nowNanos - sighting.sinceNanos());
  }

  /** Forgets everybody. */
  public void clear() {
    seen = new LinkedHashMap<>();
  }
}
