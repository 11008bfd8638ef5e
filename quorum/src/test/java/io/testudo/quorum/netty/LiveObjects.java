package io.testudo.quorum.netty;

import com.google.common.base.Splitter;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/** What is alive on the heap of this process after a full collection, by class. */
final class LiveObjects {
  private static final Splitter SPACES = Splitter.on(' ').omitEmptyStrings().trimResults();
  private static final Splitter LINES = Splitter.on('\n');

  private final Map<String, Long> instances = new HashMap<>();
  private final Map<String, Long> bytes = new HashMap<>();

  private LiveObjects() {}

  static LiveObjects now() throws JMException {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    LiveObjects live = new LiveObjects();
    for (String line : LINES.split(histogram)) {
      List<String> words = SPACES.splitToList(line);
      // A rank with a colon, instances, bytes, the class, and perhaps its module.
      if (words.size() >= 4 && words.get(0).endsWith(":") && !words.get(0).equals("num")) {
        live.instances.merge(words.get(3), Long.valueOf(words.get(1)), Long::sum);
        live.bytes.merge(words.get(3), Long.valueOf(words.get(2)), Long::sum);
      }
    }
    return live;
  }

  long of(Class<?> type) {
    return instances.getOrDefault(type.getName(), 0L);
  }

  long allBytes() {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
