package io.testudo.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * On what was measured; figures of two machines do not compare.
 *
 * @param transport how Netty waits for the network: {@code epoll} or {@code nio}
 */
public record MachineFacts(
    int cores, long memoryMebibytes, String jdk, String os, String transport) {
  private static final int BYTES_OF_MEBIBYTE_BITS = 20;

  /** This machine, with the transport that its event loops use. */
  public static MachineFacts ofThisMachine(String transport) {
    OperatingSystemMXBean machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new MachineFacts(
        Runtime.getRuntime().availableProcessors(),
        machine.getTotalMemorySize() >> BYTES_OF_MEBIBYTE_BITS,
        Runtime.version().toString(),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"),
        transport);
  }

  /** One line for people. */
  public String text() {
    return "%d cores, %d MiB, JDK %s, %s, %s".formatted(cores, memoryMebibytes, jdk, os, transport);
  }
}
