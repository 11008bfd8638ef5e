package io.testudo.quorum.journal;

import static io.testudo.quorum.journal.Script.IDENTITY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.runtime.FatalHandler;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed as by {@code kill -9}. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KillTest {
  private static final int KILLS = 6;

  @TempDir private Path temporary;

  @Test
  void losesNothingThatWasPromisedWhenTheProcessIsKilled() throws Exception {
    Path directory = temporary.resolve("server");
    FileJournal.create(directory, IDENTITY);
    Random random = new Random(7);
    long lastPromised = -1;
    for (int kill = 0; kill < KILLS; kill++) {
      lastPromised = runAndKill(directory, 1 + random.nextInt(1500), lastPromised);
      try (FileJournal journal =
          FileJournal.open(directory, IDENTITY, Runnable::run, JournalOptions.defaults())) {
        List<Long> found = journal.recover().stream().map(Child::number).toList();
        long first = found.get(0);
        long last = found.get(found.size() - 1);
        assertThat(found).isEqualTo(LongStream.rangeClosed(first, last).boxed().toList());
        assertThat(last).isGreaterThanOrEqualTo(lastPromised);
      }
    }
  }

  /** Kills a child in the middle of its work; gives the last number that it called durable. */
  private static long runAndKill(Path directory, int lines, long before) throws Exception {
    Process child = Child.start(Child.APPEND, directory);
    try (BufferedReader out = child.inputReader(UTF_8)) {
      long last = before;
      int read = 0;
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last = Math.max(last, Long.parseLong(line));
        if (++read == lines) {
          // By its handle, which leaves the pipe open: what was printed before counts too.
          child.toHandle().destroyForcibly();
        }
      }
      assertThat(read).as("lines before the end").isGreaterThanOrEqualTo(lines);
      return last;
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  @Test
  void endsTheProcessWithOneClearLineWhenTheDiskIsFull() throws Exception {
    Child.Ended ended = Child.run(Child.FULL_DISK, temporary);
    assertThat(ended.exitCode()).isEqualTo(FatalHandler.DISK_FAILED);
    assertThat(ended.stdout()).isEmpty();
    assertThat(ended.stderr().lines())
        .singleElement()
        .asString()
        .startsWith("The journal in disk failed (java.io.IOException: No space left on device)")
        .contains("make room");
  }
}
