package io.testudo.ordering.log;

import io.testudo.quorum.ServerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The last memory epochs that are known of servers that lost their memory; they never fall. */
public final class MemoryEpochs {
  private final Map<ServerId, Long> epochs = new TreeMap<>();

  public MemoryEpochs() {}

  /** Zero of a server of which none is known. */
  public long of(ServerId server) {
    return epochs.getOrDefault(server, 0L);
  }

  /** Takes note of an epoch; false if it was known, or a later one. */
  public boolean note(MemoryEpoch told) {
    if (told.epoch() <= of(told.server())) {
      return false;
    }
    epochs.put(told.server(), told.epoch());
    return true;
  }

  public void noteAll(Collection<MemoryEpoch> all) {
    all.forEach(this::note);
  }

  /** What the server says itself counts, higher or lower; zero for nothing. */
  public void put(ServerId server, long epoch) {
    epochs.put(server, epoch);
  }

  public boolean isEmpty() {
    return epochs.isEmpty();
  }

  /** One of each server at most. */
  public List<MemoryEpoch> all() {
    List<MemoryEpoch> all = new ArrayList<>(epochs.size());
    epochs.forEach((server, epoch) -> all.add(new MemoryEpoch(server, epoch)));
    return all;
  }
}
