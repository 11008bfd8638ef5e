package io.testudo.quorum.journal;

import static io.testudo.quorum.journal.Script.IDENTITY;
import static io.testudo.quorum.journal.Script.bytes;
import static io.testudo.quorum.journal.Script.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.journal.JournalOptions.Survives;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real file system, with the real threads. */
class FileJournalTest {
  private static final long GUARD_SECONDS = 120;
  private static final JournalOptions OPTIONS = JournalOptions.defaults();

  @TempDir private Path temporary;
  private Path directory;
  private final ExecutorService loop = Executors.newSingleThreadExecutor();

  @BeforeEach
  void create() throws Exception {
    directory = temporary.resolve("cluster").resolve("server");
    FileJournal.create(directory, IDENTITY);
  }

  @AfterEach
  void endLoop() {
    loop.shutdownNow();
  }

  private FileJournal open(JournalOptions options) throws Exception {
    return FileJournal.open(directory, IDENTITY, loop, options);
  }

  private static void awaitDurable(FileJournal journal) throws Exception {
    CountDownLatch durable = new CountDownLatch(1);
    journal.whenDurable(durable::countDown);
    assertThat(durable.await(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  private static void append(FileJournal journal, String... records) {
    bytes(List.of(records)).forEach(journal::append);
  }

  private List<String> reopened() throws Exception {
    try (FileJournal journal = open(OPTIONS)) {
      return texts(journal.recover());
    }
  }

  @Test
  void findsAgainWhatWasAppended() throws Exception {
    try (FileJournal journal = open(OPTIONS)) {
      assertThat(journal.recover()).isEmpty();
      append(journal, "one", "", "three");
      awaitDurable(journal);
    }
    assertThat(reopened()).containsExactly("one", "", "three");
    assertThat(reopened()).containsExactly("one", "", "three");
  }

  @Test
  void makesDurableOnCloseWhatNobodyWaitedFor() throws Exception {
    try (FileJournal journal = open(OPTIONS)) {
      append(journal, "unasked");
    }
    assertThat(reopened()).containsExactly("unasked");
  }

  @Test
  void findsOnlyTheSnapshotAndWhatCameAfter() throws Exception {
    try (FileJournal journal = open(OPTIONS)) {
      append(journal, "old");
      awaitDurable(journal);
      append(journal, "unwritten");
      journal.replaceAll(bytes(List.of("snapshot")));
      append(journal, "new");
      awaitDurable(journal);
    }
    assertThat(reopened()).containsExactly("snapshot", "new");
    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("journal.log", "journal.lock");
    }
  }

  @Test
  void tellsItsSizeAtOnceAndAsTheFileHasIt() throws Exception {
    Path log = directory.resolve(LogStore.LOG);
    try (FileJournal journal = open(OPTIONS)) {
      long empty = journal.sizeBytes();
      assertThat(empty).isEqualTo(Files.size(log));
      journal.append(new byte[1000]);
      assertThat(journal.sizeBytes()).isEqualTo(empty + EntryHead.BYTES + 1000);
      journal.replaceAll(List.of(new byte[10]));
      assertThat(journal.sizeBytes()).isEqualTo(empty + EntryHead.BYTES + 10);
      awaitDurable(journal);
      assertThat(journal.sizeBytes()).isEqualTo(Files.size(log));
    }
  }

  @Test
  void keepsTheOrderOfCallbacksAlsoWhenThereIsNothingToWrite() throws Exception {
    List<Integer> order = new ArrayList<>();
    try (FileJournal journal = open(OPTIONS)) {
      for (int i = 0; i < 1000; i++) {
        int number = i;
        if (i % 3 == 0) {
          append(journal, "record " + i);
        }
        journal.whenDurable(() -> order.add(number));
      }
      awaitDurable(journal);
    }
    assertThat(order).isEqualTo(IntStream.range(0, 1000).boxed().toList());
  }

  @Test
  void keepsRecordsLongerThanItsBuffersUpToTheLimit() throws Exception {
    byte[] longest = new byte[FileJournal.MAX_RECORD_BYTES];
    for (int i = 0; i < longest.length; i++) {
      longest[i] = (byte) (i * 31);
    }
    try (FileJournal journal = open(OPTIONS.withMaxPendingBytes(1))) {
      append(journal, "before");
      journal.append(longest);
      append(journal, "after");
      assertThatThrownBy(() -> journal.append(new byte[longest.length + 1]))
          .isInstanceOf(IllegalArgumentException.class);
    }
    try (FileJournal journal = open(OPTIONS)) {
      List<byte[]> records = journal.recover();
      assertThat(records).hasSize(3);
      assertThat(records.get(1)).isEqualTo(longest);
      assertThat(records.get(2)).isEqualTo("after".getBytes(UTF_8));
    }
  }

  @Test
  void keepsItsWordAgainstTheDeathOfTheProcessWithoutSync() throws Exception {
    try (FileJournal journal = open(OPTIONS.withSurvives(Survives.PROCESS_DEATH))) {
      append(journal, "written");
      awaitDurable(journal);
      Path copy = temporary.resolve("copy");
      Files.createDirectory(copy);
      Files.copy(directory.resolve(LogStore.LOG), copy.resolve(LogStore.LOG));
      try (FileJournal other = FileJournal.open(copy, IDENTITY, loop, OPTIONS)) {
        assertThat(texts(other.recover())).containsExactly("written");
      }
    }
  }

  @Test
  void letsOneOpenItAtATime() throws Exception {
    try (FileJournal journal = open(OPTIONS)) {
      append(journal, "mine");
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> open(OPTIONS))
            .isInstanceOf(JournalException.class)
            .hasMessageContaining(directory + " is in use");
      }
      assertThat(Child.run(Child.OPEN, directory).stdout())
          .as("another process is refused too, also after a refusal in this one")
          .contains("is in use");
    }
    assertThat(Child.run(Child.OPEN, directory).stdout()).contains("opened");
    assertThat(reopened()).containsExactly("mine");
  }

  @Test
  void neverOverwritesAJournal() throws Exception {
    try (FileJournal journal = open(OPTIONS)) {
      append(journal, "kept");
    }
    assertThatThrownBy(() -> FileJournal.create(directory, IDENTITY))
        .isInstanceOf(JournalException.class)
        .hasMessageContaining("never overwritten");
    assertThat(reopened()).containsExactly("kept");
  }

  @Test
  void refusesAnEmptyOrMissingDirectory() throws Exception {
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    for (Path lost : List.of(empty, temporary.resolve("missing"))) {
      assertThatThrownBy(() -> FileJournal.open(lost, IDENTITY, loop, OPTIONS))
          .isInstanceOf(JournalException.class)
          .hasMessage(
              "There is no identity record in %s: the disk is empty or lost; re-admit the server.",
              lost);
      assertThat(lost)
          .satisfiesAnyOf(
              path -> assertThat(path).doesNotExist(), path -> assertThat(path).isEmptyDirectory());
    }
  }

  @Test
  void refusesTheJournalOfAnotherServer() {
    assertThatThrownBy(() -> FileJournal.open(directory, "another".getBytes(UTF_8), loop, OPTIONS))
        .isInstanceOf(JournalException.class)
        .hasMessageContaining("belongs to another server");
  }

  @Test
  void refusesADamagedFileAndGivesTheDirectoryFree() throws Exception {
    Path log = directory.resolve(LogStore.LOG);
    byte[] good = Files.readAllBytes(log);
    byte[] bad = good.clone();
    bad[20] ^= 1;
    Files.write(log, bad);
    assertThatThrownBy(() -> open(OPTIONS))
        .isInstanceOf(JournalDamagedException.class)
        .hasMessageContaining(log.toString());
    Files.write(log, good);
    assertThat(reopened()).isEmpty();
  }
}
