package io.testudo.quorum.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimDiskTest {
  private final EventQueue events = new EventQueue();
  private final SimDisk disk = new SimDisk(events, Entropy.seeded(1));
  private final List<String> heard = new ArrayList<>();

  private SimDisk.Session open() {
    return disk.new Session(() -> {}, Runnable::run);
  }

  private static byte[] record(int number) {
    return new byte[] {(byte) number};
  }

  private List<Integer> onDisk() {
    return open().recover().stream().map(record -> (int) record[0]).toList();
  }

  private void runAll() {
    boolean happened = true;
    while (happened) {
      happened = events.runNext();
    }
  }

  @Test
  void keepsWhatWasSyncedAndSaysSoAfterwards() {
    SimDisk.Session session = open();
    session.append(record(1));
    session.whenDurable(() -> heard.add("first"));
    session.append(record(2));
    assertThat(onDisk()).isEmpty();
    runAll();

    assertThat(heard).containsExactly("first");
    assertThat(onDisk()).containsExactly(1);
  }

  @Test
  void servesAllThatWaitsInOrder() {
    SimDisk.Session session = open();
    for (int i = 1; i <= 3; i++) {
      int number = i;
      session.append(record(i));
      session.whenDurable(() -> heard.add("record " + number));
    }
    runAll();
    assertThat(heard).containsExactly("record 1", "record 2", "record 3");
    assertThat(onDisk()).containsExactly(1, 2, 3);
  }

  @Test
  void losesTheUnsyncedTailInACrashThatLosesIt() {
    assertThat(afterCrash(FaultKind.CRASH_LOST_TAIL)).containsExactly(1);
  }

  @Test
  void keepsTheUnsyncedTailInACrashThatKeepsIt() {
    assertThat(afterCrash(FaultKind.CRASH_KEPT)).containsExactly(1, 2, 3);
  }

  @Test
  void keepsABeginningOfTheTailInACrashThatTearsIt() {
    assertThat(afterCrash(FaultKind.CRASH_TORN)).isIn(List.of(1), List.of(1, 2), List.of(1, 2, 3));
  }

  private List<Integer> afterCrash(FaultKind fate) {
    SimDisk.Session session = open();
    session.append(record(1));
    session.whenDurable(() -> {});
    runAll();
    session.append(record(2));
    session.append(record(3));
    session.whenDurable(() -> heard.add("never"));
    session.close();
    disk.crash(fate);
    runAll();
    assertThat(heard).isEmpty();
    return onDisk();
  }

  @Test
  void replacesEverythingWhileASyncIsUnderWay() {
    SimDisk.Session session = open();
    session.append(record(1));
    session.append(record(2));
    session.whenDurable(() -> heard.add("synced"));
    session.replaceAll(List.of(record(9)));
    session.append(record(3));
    runAll();

    assertThat(heard).containsExactly("synced");
    assertThat(onDisk()).containsExactly(9);
    assertThat(session.sizeBytes()).isEqualTo(2);
    disk.crash(FaultKind.CRASH_LOST_TAIL);
    assertThat(open().sizeBytes()).isEqualTo(1);
  }
}
