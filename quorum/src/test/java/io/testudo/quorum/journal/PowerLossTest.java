package io.testudo.quorum.journal;

import static io.testudo.quorum.journal.Script.IDENTITY;
import static io.testudo.quorum.journal.Script.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The power fails before each operation of many scripts, and everything else that it can do. */
class PowerLossTest {
  private static final int SCRIPTS = 6;
  private static final int SCATTERINGS = 12;

  private static final JournalOptions OPTIONS =
      JournalOptions.defaults()
          .withFatalHandler(
              (line, cause) -> {
                throw new AssertionError(line, cause);
              });

  private long cases;

  private static FaultDisk newDisk() throws Exception {
    FaultDisk disk = new FaultDisk();
    LogStore.create(disk, IDENTITY);
    return disk;
  }

  @Test
  void keepsEveryPromiseWhereverThePowerFails() throws Exception {
    for (int seed = 0; seed < SCRIPTS; seed++) {
      FaultDisk whole = newDisk();
      int before = whole.operations().size();
      new Script(whole, seed).run();
      int operations = whole.operations().size() - before;
      for (int operation = 0; operation <= operations; operation++) {
        FaultDisk disk = newDisk();
        disk.failPowerAt(operation);
        Script script = new Script(disk, seed);
        script.run();
        checkEveryFate(disk, script, "seed " + seed + ", operation " + operation);
      }
    }
    assertThat(cases).isGreaterThan(10_000);
  }

  private void checkEveryFate(FaultDisk disk, Script script, String where) throws Exception {
    for (int names = 0; names <= disk.unsyncedNameChanges(); names++) {
      int number = 0;
      for (Fate fate : fates(disk)) {
        FaultDisk left = disk.afterPowerLoss(fate, names);
        String place = where + ", name changes " + names + ", fate " + number++;
        checkSecondLoss(disk.afterPowerLoss(fate, names), script, place);
        List<String> found = recover(left, place);
        assertThat(script.allowed()).as(place).contains(found);
        checkGoesOn(left, found, place);
        cases++;
      }
    }
  }

  private static List<Fate> fates(FaultDisk disk) {
    List<Fate> fates = new ArrayList<>(List.of(Fate.kept(), Fate.lost()));
    for (int bytes = 1; bytes < disk.unsyncedBytes(); bytes++) {
      fates.add(Fate.tornAfter(bytes));
    }
    for (int seed = 0; seed < SCATTERINGS && disk.unsyncedBytes() > 0; seed++) {
      fates.add(Fate.scattered(seed));
      fates.add(Fate.scatteredInZeros(seed));
    }
    return fates;
  }

  /** The power fails once more, during the recovery. */
  private void checkSecondLoss(FaultDisk disk, Script script, String place) throws Exception {
    disk.failPowerAt((int) (cases % 8));
    try {
      recover(disk, place);
    } catch (FaultDisk.PowerLoss e) {
      // As planned; where the recovery takes fewer steps, the power fails after it.
    }
    Fate fate = cases % 3 == 0 ? Fate.lost() : Fate.scattered(cases);
    int names = (int) (cases % (disk.unsyncedNameChanges() + 1));
    assertThat(script.allowed())
        .as(place + ", and again")
        .contains(recover(disk.afterPowerLoss(fate, names), place));
  }

  /** What was recovered once stays, and so does what comes after. */
  private static void checkGoesOn(FaultDisk disk, List<String> found, String place)
      throws Exception {
    FaultDisk later = disk.afterPowerLoss(Fate.lost(), 0);
    FileJournal journal = FileJournal.openIdle(later, IDENTITY, Runnable::run, OPTIONS);
    List<String> expected = new ArrayList<>(texts(journal.recover()));
    assertThat(expected).as(place + ", recovered again").isEqualTo(found);
    List<String> told = new ArrayList<>();
    journal.append("one more".getBytes(UTF_8));
    journal.whenDurable(() -> told.add("durable"));
    journal.commitPending();
    assertThat(told).hasSize(1);
    expected.add("one more");
    assertThat(recover(later.afterPowerLoss(Fate.lost(), 0), place)).as(place).isEqualTo(expected);
  }

  private static List<String> recover(FaultDisk disk, String place) throws Exception {
    try {
      return texts(FileJournal.openIdle(disk, IDENTITY, Runnable::run, OPTIONS).recover());
    } catch (JournalException e) {
      throw new AssertionError(place + ": " + e.getMessage(), e);
    }
  }

  @Test
  void makesAJournalWholeOrNotAtAll() throws Exception {
    FaultDisk whole = newDisk();
    for (int operation = 0; operation <= whole.operations().size(); operation++) {
      FaultDisk disk = new FaultDisk();
      disk.failPowerAt(operation);
      boolean made = createsWithoutPowerLoss(disk);
      for (int names = 0; names <= disk.unsyncedNameChanges(); names++) {
        for (Fate fate : fates(disk)) {
          FaultDisk left = disk.afterPowerLoss(fate, names);
          assertThat(!made || left.exists(LogStore.LOG)).isTrue();
          if (!left.exists(LogStore.LOG)) {
            LogStore.create(left, IDENTITY);
          }
          assertThat(recover(left, "operation " + operation)).isEmpty();
        }
      }
    }
  }

  private static boolean createsWithoutPowerLoss(FaultDisk disk) throws Exception {
    try {
      LogStore.create(disk, IDENTITY);
      return true;
    } catch (FaultDisk.PowerLoss e) {
      return false;
    }
  }

  @Test
  void doesNotTrustWhatAnEarlierProcessFailedToSync() throws Exception {
    FaultDisk disk = newDisk();
    List<String> failures = new ArrayList<>();
    FileJournal journal =
        FileJournal.openIdle(
            disk,
            IDENTITY,
            Runnable::run,
            OPTIONS.withFatalHandler((line, cause) -> failures.add(line)));
    journal.append("seen, not synced".getBytes(UTF_8));
    journal.whenDurable(() -> failures.add("told"));
    disk.failAlways("force");
    journal.commitPending();
    assertThat(failures).hasSize(1).allMatch(line -> line.contains("No space left on device"));

    FaultDisk restarted = disk.afterProcessDeath();
    List<String> found = recover(restarted, "restarted");
    assertThat(found).containsExactly("seen, not synced");
    assertThat(recover(restarted.afterPowerLoss(Fate.lost(), 0), "power lost")).isEqualTo(found);
  }

  @Test
  void goesOnBehindASealThatAnEarlierProcessDidNotSync() throws Exception {
    FaultDisk disk = newDisk();
    List<String> ended = new ArrayList<>();
    JournalOptions mortal = OPTIONS.withFatalHandler((line, cause) -> ended.add(line));
    FileJournal journal = FileJournal.openIdle(disk, IDENTITY, Runnable::run, mortal);
    journal.append("first".getBytes(UTF_8));
    journal.whenDurable(() -> {});
    journal.commitPending();
    disk.failPowerAt(1);
    journal.settle();
    assertThat(ended).as("the process ends between the seal and its sync").hasSize(1);

    FaultDisk restarted = disk.afterProcessDeath();
    FileJournal next = FileJournal.openIdle(restarted, IDENTITY, Runnable::run, OPTIONS);
    assertThat(texts(next.recover())).containsExactly("first");
    next.append("second".getBytes(UTF_8));
    next.commitPending();
    for (Fate fate : fates(restarted)) {
      assertThat(recover(restarted.afterPowerLoss(fate, 0), "behind a seal")).startsWith("first");
    }
  }

  @Test
  void letsNothingOfATornTailComeUpAgain() throws Exception {
    FaultDisk disk = newDisk();
    FileJournal journal = FileJournal.openIdle(disk, IDENTITY, Runnable::run, OPTIONS);
    journal.append("kept".getBytes(UTF_8));
    journal.append("torn".getBytes(UTF_8));
    int tornEnd = (int) journal.sizeBytes();
    journal.append("good behind it".getBytes(UTF_8));
    journal.commitPending();
    byte[] log = disk.bytesOf(LogStore.LOG);
    log[tornEnd - 1] ^= 1;
    FaultDisk left = new FaultDisk();
    left.put(LogStore.LOG, log);

    FileJournal next = FileJournal.openIdle(left, IDENTITY, Runnable::run, OPTIONS);
    assertThat(texts(next.recover())).containsExactly("kept");
    next.append("next".getBytes(UTF_8));
    next.whenDurable(() -> {});
    next.commitPending();
    assertThat(recover(left.afterProcessDeath(), "after a torn tail"))
        .containsExactly("kept", "next");
  }
}
