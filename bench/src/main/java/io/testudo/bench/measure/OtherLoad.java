package io.testudo.bench.measure;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How much of the machine is used by processes other than the bench's own, from Linux's {@code
 * /proc}. Elsewhere it is not known, and nothing is said.
 *
 * <p>Time in interrupts counts for nobody: the kernel moves the packets of a loopback connection
 * there, and whose they were is not recorded. Time that a host took from this virtual machine
 * ("steal") counts as used by others.
 */
public final class OtherLoad {
  /** From here on figures are not to be trusted without a second look. */
  public static final double WARNING_SHARE = 0.10;

  private static final Splitter SPACES = Splitter.on(' ').omitEmptyStrings();

  /** Of the first line of /proc/stat, without its name: user nice system ... steal. */
  private static final int[] BUSY_FIELDS = {0, 1, 2, 7};

  private static final int ALL_FIELDS = 8;

  /** Of /proc/PID/stat, after the name in parentheses: utime and stime. */
  private static final int[] PROCESS_FIELDS = {11, 12};

  private final Path proc;
  private final Supplier<long[]> ownProcesses;

  OtherLoad(Path proc, Supplier<long[]> ownProcesses) {
    this.proc = proc;
    this.ownProcesses = ownProcesses;
  }

  /** Of this machine; this process and all that it started are the bench's own. */
  public static OtherLoad ofThisMachine() {
    return new OtherLoad(Path.of("/proc"), OtherLoad::thisProcessAndItsDescendants);
  }

  private static long[] thisProcessAndItsDescendants() {
    ProcessHandle self = ProcessHandle.current();
    return LongStream.concat(
            LongStream.of(self.pid()), self.descendants().mapToLong(ProcessHandle::pid))
        .toArray();
  }

  /**
   * Clock ticks since the machine started.
   *
   * @param busy used by processes
   * @param all that there were, on all cores
   * @param own used by each of the bench's own processes
   */
  record Ticks(long busy, long all, ImmutableMap<Long, Long> own) {}

  /** A moment; empty where the system does not tell. */
  public record Sample(@Nullable Ticks ticks) {}

  public Sample sample() {
    try (Stream<String> lines = Files.lines(proc.resolve("stat"))) {
      String machine = lines.findFirst().orElse("");
      List<String> fields = SPACES.splitToList(machine);
      if (fields.size() <= ALL_FIELDS || !fields.get(0).equals("cpu")) {
        return new Sample(null);
      }
      List<String> counts = fields.subList(1, 1 + ALL_FIELDS);
      long all = counts.stream().mapToLong(Long::parseLong).sum();
      return new Sample(new Ticks(sum(counts, BUSY_FIELDS), all, ownTicks()));
    } catch (IOException | NumberFormatException e) {
      return new Sample(null);
    }
  }

  private ImmutableMap<Long, Long> ownTicks() throws IOException {
    ImmutableMap.Builder<Long, Long> ticks = ImmutableMap.builder();
    for (long pid : ownProcesses.get()) {
      Path file = proc.resolve(Long.toString(pid)).resolve("stat");
      if (Files.exists(file)) {
        String text = Files.readString(file);
        // The name may hold spaces and parentheses; nothing after the last one does.
        List<String> fields = SPACES.splitToList(text.substring(text.lastIndexOf(')') + 1).strip());
        ticks.put(pid, sum(fields, PROCESS_FIELDS));
      }
    }
    return ticks.buildOrThrow();
  }

  private static long sum(List<String> fields, int[] places) {
    long sum = 0;
    for (int place : places) {
      sum += Long.parseLong(fields.get(place));
    }
    return sum;
  }

  /** The share of all cores, from 0 to 1, that others took in the meantime. */
  public static OptionalDouble shareBetween(Sample before, Sample after) {
    Ticks from = before.ticks();
    Ticks to = after.ticks();
    if (from == null || to == null || to.all() <= from.all()) {
      return OptionalDouble.empty();
    }
    long own = 0;
    for (Map.Entry<Long, Long> process : to.own().entrySet()) {
      own += process.getValue() - from.own().getOrDefault(process.getKey(), 0L);
    }
    double share = (double) (to.busy() - from.busy() - own) / (to.all() - from.all());
    return OptionalDouble.of(Math.max(0, Math.min(1, share)));
  }
}
