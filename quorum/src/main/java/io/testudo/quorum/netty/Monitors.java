package io.testudo.quorum.netty;

import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Objects;
import java.util.stream.Stream;

/** What this thread has locked. */
final class Monitors {
  private static final String OURS = "io.testudo.";

  private Monitors() {}

  /**
   * Whether this thread holds a monitor of this project. Whoever waits for a loop must hold none:
   * what the loop does next may need it. It is slow, and so for assertions only.
   */
  static boolean holdsOneOfOurs() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (!threads.isObjectMonitorUsageSupported()) {
      return false;
    }
    long self = Thread.currentThread().getId();
    return Stream.of(threads.getThreadInfo(new long[] {self}, true, false))
        .filter(Objects::nonNull) // Nothing is known of virtual threads.
        .map(ThreadInfo::getLockedMonitors)
        .flatMap(Stream::of)
        .map(MonitorInfo::getClassName)
        .anyMatch(name -> name.startsWith(OURS));
  }
}
