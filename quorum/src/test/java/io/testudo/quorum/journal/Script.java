package io.testudo.quorum.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A machine that writes what a seed says, and remembers what it may find again: the state after
 * each of its steps, and which of them it was told is durable.
 */
final class Script {
  static final byte[] IDENTITY = "cluster-7/server-3".getBytes(UTF_8);

  private static final int STEPS = 40;

  private final FaultDisk disk;
  private final Random random;

  /** What a recovery may give, by the number of steps that changed it. */
  private final List<List<String>> states = new ArrayList<>(List.of(List.of()));

  private int durableState;
  private boolean failed;

  Script(FaultDisk disk, long seed) {
    this.disk = disk;
    this.random = new Random(seed);
  }

  /** Runs to the end of the script or until the disk fails. */
  void run() {
    try {
      FileJournal journal = reopen();
      for (int step = 0; step < STEPS && !failed; step++) {
        journal = step(journal);
      }
    } catch (FaultDisk.PowerLoss e) {
      failed = true;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private FileJournal reopen() throws Exception {
    FileJournal journal = FileJournal.openIdle(disk, IDENTITY, Runnable::run, options());
    if (!texts(journal.recover()).equals(states.get(states.size() - 1))) {
      throw new AssertionError("a clean restart lost something");
    }
    return journal;
  }

  /** The process ends and another takes over; what it finds is durable from then on. */
  private FileJournal dieAndReopen() throws Exception {
    disk.endProcess();
    FileJournal journal = FileJournal.openIdle(disk, IDENTITY, Runnable::run, options());
    int found = states.lastIndexOf(texts(journal.recover()));
    if (found < durableState) {
      throw new AssertionError("a restart lost or invented something");
    }
    states.subList(found + 1, states.size()).clear();
    durableState = found;
    return journal;
  }

  private JournalOptions options() {
    return JournalOptions.defaults().withFatalHandler((line, cause) -> failed = true);
  }

  private FileJournal step(FileJournal journal) throws Exception {
    switch (random.nextInt(16)) {
      case 0 -> journal.settle();
      case 1 -> {
        journal.close();
        return failed ? journal : reopen();
      }
      case 2 -> {
        return dieAndReopen();
      }
      case 3, 4 -> {
        List<String> snapshot = new ArrayList<>(List.of("snapshot " + states.size()));
        snapshot.addAll(last().subList(last().size() / 2, last().size()));
        states.add(snapshot);
        journal.replaceAll(bytes(snapshot));
      }
      case 5, 6 -> {
        int state = states.size() - 1;
        journal.whenDurable(() -> durableState = state);
      }
      case 7, 8, 9 -> journal.commitPending();
      default -> {
        String record = "record " + states.size() + " " + "x".repeat(random.nextInt(30));
        List<String> state = new ArrayList<>(last());
        state.add(record);
        states.add(state);
        journal.append(record.getBytes(UTF_8));
      }
    }
    return journal;
  }

  private List<String> last() {
    return states.get(states.size() - 1);
  }

  /** The states that a recovery may find: none older than what was promised, none invented. */
  List<List<String>> allowed() {
    return states.subList(durableState, states.size());
  }

  static List<byte[]> bytes(List<String> texts) {
    return texts.stream().map(text -> text.getBytes(UTF_8)).toList();
  }

  static List<String> texts(List<byte[]> records) {
    return records.stream().map(record -> new String(record, UTF_8)).toList();
  }
}
