package io.testudo.quorum.journal;

import static io.testudo.quorum.journal.Script.IDENTITY;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A process of its own that uses a journal, to be refused, to fail, or to be killed. */
final class Child {
  /** Opens the journal and says how that went. */
  static final String OPEN = "open";

  /** Appends numbers and prints each when it is durable, for ever. */
  static final String APPEND = "append";

  /** Appends to a disk that is full. */
  static final String FULL_DISK = "full-disk";

  private static final int SNAPSHOT_EVERY = 500;
  private static final int AHEAD = 64;

  private Child() {}

  /** How a child ended. */
  record Ended(int exitCode, String stdout, String stderr) {}

  static Process start(String what, Path directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            what,
            directory.toString())
        .start();
  }

  static Ended run(String what, Path directory) throws Exception {
    Process child = start(what, directory);
    try (BufferedReader out = child.inputReader(UTF_8);
        BufferedReader err = child.errorReader(UTF_8)) {
      String stdout = String.join("\n", out.lines().toList());
      String stderr = String.join("\n", err.lines().toList());
      return new Ended(child.waitFor(), stdout, stderr);
    } finally {
      child.destroyForcibly();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    switch (arguments[0]) {
      case OPEN -> open(directory);
      case APPEND -> append(directory);
      case FULL_DISK -> appendToFullDisk();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void open(Path directory) throws Exception {
    try (FileJournal journal =
        FileJournal.open(directory, IDENTITY, Runnable::run, JournalOptions.defaults())) {
      System.out.println("opened with " + journal.recover().size());
    } catch (JournalException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void append(Path directory) throws Exception {
    ExecutorService loop = Executors.newSingleThreadExecutor();
    FileJournal journal = FileJournal.open(directory, IDENTITY, loop, JournalOptions.defaults());
    List<byte[]> recovered = journal.recover();
    long first = recovered.isEmpty() ? 0 : number(recovered.get(recovered.size() - 1)) + 1;
    for (long number = first; number < first + AHEAD; number++) {
      long mine = number;
      loop.execute(() -> append(journal, mine));
    }
  }

  /** On the loop. Each number that is durable makes room for one more. */
  private static void append(FileJournal journal, long number) {
    byte[] record = Long.toString(number).getBytes(UTF_8);
    journal.append(record);
    if (number % SNAPSHOT_EVERY == 0) {
      journal.replaceAll(List.of(record));
    }
    journal.whenDurable(
        () -> {
          System.out.println(number);
          append(journal, number + AHEAD);
        });
  }

  static long number(byte[] record) {
    return Long.parseLong(new String(record, UTF_8));
  }

  private static void appendToFullDisk() throws Exception {
    FaultDisk disk = new FaultDisk();
    LogStore.create(disk, IDENTITY);
    FileJournal journal =
        FileJournal.openIdle(disk, IDENTITY, Runnable::run, JournalOptions.defaults());
    disk.failAlways("write");
    journal.append(new byte[10]);
    journal.whenDurable(() -> System.out.println("told a lie"));
    journal.commitPending();
    System.out.println("went on");
  }
}
