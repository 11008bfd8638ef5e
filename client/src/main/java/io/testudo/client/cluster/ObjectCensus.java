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
import java.util.function.ToLongFunction;

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
   * @param type the number of its type, as one correct server says at least; 0 if it is not known
   * @param bytes what one correct server keeps of it at least
   */
  public record Entry(String object, long version, int servers, int type, long bytes) {}

  /** Counts what servers said. */
  public static ImmutableList<Entry> of(
      Multimap<ServerId, ObjectList> pages, Thresholds thresholds) {
    Map<String, List<ObjectList.Item>> items = new TreeMap<>();
    for (Collection<ObjectList> ofOne : pages.asMap().values()) {
      Map<String, ObjectList.Item> said = new HashMap<>(); // Who names one twice counts once.
      for (ObjectList page : ofOne) {
        page.objects().forEach(item -> said.putIfAbsent(item.object(), item));
      }
      said.forEach(
          (object, item) -> items.computeIfAbsent(object, any -> new ArrayList<>()).add(item));
    }
    ImmutableList.Builder<Entry> entries = ImmutableList.builder();
    items.forEach(
        (object, said) -> {
          if (said.size() >= thresholds.vouchers()) {
            entries.add(entry(object, said, thresholds.vouchers()));
          }
        });
    return entries.build();
  }

  private static Entry entry(String object, List<ObjectList.Item> said, int vouchers) {
    long version = vouched(said, ObjectList.Item::version, vouchers);
    int servers = (int) said.stream().filter(item -> item.version() >= version).count();
    int type =
        said.stream()
            .map(ObjectList.Item::type)
            .filter(one -> said.stream().filter(it -> it.type() == one).count() >= vouchers)
            .findFirst()
            .orElse(0);
    return new Entry(
        object, version, servers, type, vouched(said, ObjectList.Item::bytes, vouchers));
  }

  /** What one correct server has said, or less. */
  private static long vouched(
      List<ObjectList.Item> said, ToLongFunction<ObjectList.Item> number, int vouchers) {
    return said.stream()
        .map(number::applyAsLong)
        .sorted(Comparator.reverseOrder())
        .skip(vouchers - 1L)
        .findFirst()
        .orElseThrow();
  }
}
