package io.testudo.client.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multimap;
import io.testudo.ordering.message.ObjectList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which objects there are, as so many servers say the same that one of them must be correct. What
 * fewer say is left out: they may have made it up.
 */
public final class ObjectCensus {
  private ObjectCensus() {}

  /**
   * One object.
   *
   * @param version the newest that one correct server keeps at least; it may not be chosen yet
   * @param servers how many have this version or a newer one, as they say
   */
  public record Entry(String object, long version, int servers) {}

  /** Counts what servers said. */
  public static ImmutableList<Entry> of(
      Multimap<ServerId, ObjectList> pages, Thresholds thresholds) {
    Map<String, List<Long>> versions = new TreeMap<>();
    for (Collection<ObjectList> ofOne : pages.asMap().values()) {
      Map<String, Long> said = new HashMap<>(); // A server that names an object twice counts once.
      for (ObjectList page : ofOne) {
        page.objects().forEach(item -> said.putIfAbsent(item.object(), item.version()));
      }
      said.forEach(
          (object, version) ->
              versions.computeIfAbsent(object, any -> new ArrayList<>()).add(version));
    }
    ImmutableList.Builder<Entry> entries = ImmutableList.builder();
    versions.forEach(
        (object, said) -> {
          if (said.size() >= thresholds.vouchers()) {
            said.sort(Comparator.reverseOrder());
            long version = said.get(thresholds.vouchers() - 1);
            int servers = (int) said.stream().filter(newest -> newest >= version).count();
            entries.add(new Entry(object, version, servers));
          }
        });
    return entries.build();
  }
}
