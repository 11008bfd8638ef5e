package io.testudo.quorum.journal;

import static io.testudo.quorum.journal.Script.IDENTITY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a journal does to its disk, and what it does when the disk fails. */
class FailedDiskTest {
  private final FaultDisk disk = new FaultDisk();
  private final List<String> events = new ArrayList<>();

  @BeforeEach
  void create() throws Exception {
    LogStore.create(disk, IDENTITY);
  }

  private FileJournal open(JournalOptions options) throws Exception {
    return FileJournal.openIdle(
        disk,
        IDENTITY,
        Runnable::run,
        options.withFatalHandler((line, cause) -> events.add("fatal")));
  }

  private long count(String operation) {
    return disk.operations().stream().filter(operation::equals).count();
  }

  private void write(FileJournal journal, String record) {
    journal.append(record.getBytes(UTF_8));
    journal.whenDurable(() -> events.add(record));
  }

  @ParameterizedTest
  @ValueSource(strings = {"write", "force"})
  void endsAtTheFirstFailureAndNeverTriesAgain(String operation) throws Exception {
    FileJournal journal = open(JournalOptions.defaults());
    write(journal, "good");
    journal.commitPending();
    disk.failAlways(operation);
    write(journal, "bad");
    journal.commitPending();
    long before = disk.operations().size();
    disk.failAlways("nothing");
    write(journal, "later");
    journal.commitPending();
    journal.settle();
    journal.close();

    assertThat(events).containsExactly("good", "fatal");
    assertThat(disk.operations()).as("not touched again").hasSize((int) before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "write", "force", "rename", "syncDirectory", "delete"})
  void endsWhenASnapshotCannotBeWritten(String operation) throws Exception {
    FileJournal journal = open(JournalOptions.defaults());
    disk.failAlways(operation);
    journal.replaceAll(List.of(new byte[10]));
    journal.whenDurable(() -> events.add("lie"));
    journal.commitPending();
    assertThat(events).containsExactly("fatal");
  }

  @Test
  void aProofIsAWriteAndASyncEvenIfNothingIsNew() throws Exception {
    FileJournal journal = open(JournalOptions.defaults());
    long writes = count("write");
    long syncs = count("force");
    long size = journal.sizeBytes();
    journal.prove(() -> events.add("proven"));
    assertThat(events).isEmpty();
    journal.commitPending();
    assertThat(events).containsExactly("proven");
    assertThat(count("write")).isGreaterThan(writes);
    assertThat(count("force")).isGreaterThan(syncs);
    assertThat(journal.sizeBytes()).as("so that proofs are cleared away").isGreaterThan(size);
    disk.failAlways("write");
    journal.prove(() -> events.add("lie"));
    journal.commitPending();
    assertThat(events).containsExactly("proven", "fatal");
  }

  @Test
  void isReadAgainWithAllThatWasAskedBefore() throws Exception {
    FileJournal journal = open(JournalOptions.defaults());
    write(journal, "first");
    journal.prove(() -> {});
    write(journal, "second");
    journal.recoverAgain(records -> events.addAll(Script.texts(records)));
    journal.commitPending();
    assertThat(events).containsExactly("first", "second", "first", "second");
    write(journal, "third");
    journal.commitPending();
    assertThat(open(disk.afterProcessDeath())).containsExactly("first", "second", "third");
  }

  @Test
  void syncsOnceForAllThatWaits() throws Exception {
    FileJournal journal = open(JournalOptions.defaults());
    long before = count("force");
    for (int i = 0; i < 64; i++) {
      write(journal, "record " + i);
    }
    journal.commitPending();
    assertThat(events).hasSize(64);
    assertThat(count("force")).isEqualTo(before + 1);
    assertThat(count("write")).as("header and group").isEqualTo(2);
  }

  @Test
  void syncsNothingWhenNobodyWaitsOrNothingIsNew() throws Exception {
    FileJournal journal = open(JournalOptions.defaults());
    long before = count("force");
    journal.append(new byte[10]);
    journal.commitPending();
    assertThat(count("force")).isEqualTo(before);
    journal.whenDurable(() -> events.add("first"));
    journal.commitPending();
    journal.whenDurable(() -> events.add("second"));
    journal.commitPending();
    assertThat(count("force")).isEqualTo(before + 1);
    assertThat(events).containsExactly("first", "second");
  }

  @Test
  void leavesTheSyncToTheSystemWhenOnlyTheDeathOfTheProcessCounts() throws Exception {
    FileJournal journal =
        open(JournalOptions.defaults().withSurvives(JournalOptions.Survives.PROCESS_DEATH));
    long before = count("force");
    write(journal, "record");
    journal.commitPending();
    journal.settle();
    assertThat(events).containsExactly("record");
    assertThat(count("force")).isEqualTo(before);
    assertThat(open(disk.afterProcessDeath())).isEqualTo(List.of("record"));
  }

  private static List<String> open(FaultDisk disk) throws Exception {
    return Script.texts(
        FileJournal.openIdle(disk, IDENTITY, Runnable::run, JournalOptions.defaults()).recover());
  }

  @Test
  void settlesOnceAndOnlyAfterSomethingWasWritten() throws Exception {
    FileJournal journal = open(JournalOptions.defaults());
    int before = disk.operations().size();
    journal.settle();
    assertThat(disk.operations()).hasSize(before);
    write(journal, "record");
    journal.commitPending();
    journal.settle();
    int after = disk.operations().size();
    journal.settle();
    assertThat(disk.operations()).hasSize(after);
  }
}
