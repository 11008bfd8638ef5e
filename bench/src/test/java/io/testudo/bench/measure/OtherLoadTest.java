package io.testudo.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherLoadTest {
  private static final long OWN = 7;
  private static final long CHILD = 8;

  @TempDir private Path proc;

  private long[] ownProcesses = {OWN};

  @BeforeEach
  void startsIdle() throws IOException {
    machine("cpu  100 10 50 1000 40 5 6 20 0 0");
    process(OWN, 30, 12);
  }

  private OtherLoad load() {
    return new OtherLoad(proc, () -> ownProcesses);
  }

  private void machine(String line) throws IOException {
    Files.writeString(proc.resolve("stat"), line + "\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
  }

  private void process(long pid, long userTicks, long systemTicks) throws IOException {
    Path directory = Files.createDirectories(proc.resolve(Long.toString(pid)));
    Files.writeString(
        directory.resolve("stat"),
        "%d (a) b (c) S 1 2 3 4 5 6 7 8 9 10 %d %d 99 98 20 0 1\n"
            .formatted(pid, userTicks, systemTicks));
  }

  @Test
  void subtractsItsOwnProcessesFromWhatIsBusy() throws IOException {
    OtherLoad load = load();
    OtherLoad.Sample before = load.sample();
    // 100 ticks pass: user 40, nice 5, system 15, idle 25, iowait 5, irq 3, softirq 5, steal 2.
    machine("cpu  140 15 65 1025 45 8 11 22 0 0");
    process(OWN, 50, 22);

    // Busy 40 + 5 + 15 + 2, less the own 20 + 10.
    assertThat(OtherLoad.shareBetween(before, load.sample())).hasValue(0.32);
  }

  @Test
  void countsChildrenThatWereStartedMeanwhileAsItsOwn() throws IOException {
    OtherLoad load = load();
    OtherLoad.Sample before = load.sample();
    machine("cpu  150 10 50 1050 40 5 6 20 0 0");
    ownProcesses = new long[] {OWN, CHILD};
    process(CHILD, 15, 5);

    assertThat(OtherLoad.shareBetween(before, load.sample())).hasValue(0.30);
  }

  @Test
  void isNeverNegative() throws IOException {
    OtherLoad load = load();
    OtherLoad.Sample before = load.sample();
    machine("cpu  110 10 50 1090 40 5 6 20 0 0");
    process(OWN, 45, 12);

    assertThat(OtherLoad.shareBetween(before, load.sample())).hasValue(0);
  }

  @Test
  void saysNothingWhereTheSystemDoesNotTell() throws IOException {
    OtherLoad.Sample before = load().sample();
    assertThat(OtherLoad.shareBetween(before, load().sample())).as("no time passed").isEmpty();
    machine("something else");
    assertThat(OtherLoad.shareBetween(before, load().sample())).isEmpty();
    Files.delete(proc.resolve("stat"));
    assertThat(OtherLoad.shareBetween(before, load().sample())).isEmpty();
  }

  @Test
  void outlivesAProcessThatIsGone() throws IOException {
    ownProcesses = new long[] {OWN, CHILD};
    OtherLoad load = load();
    OtherLoad.Sample before = load.sample();
    machine("cpu  110 10 50 1090 40 5 6 20 0 0");

    assertThat(OtherLoad.shareBetween(before, load.sample())).hasValue(0.10);
  }
}
