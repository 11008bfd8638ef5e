package io.testudo.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.testudo.client.config.WatchedFiles;
import io.testudo.quorum.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon reads its files again when it is told to, and when they have changed. */
@Timeout(60)
class ReloadRoundsTest {
  @TempDir Path directory;
  private Path file;
  private final Occasions occasions = new Occasions();
  private WatchedFiles watched;

  /** Nothing happens for ten pauses, which take no time; then it is told to stop. */
  private static final class Occasions extends LinkedBlockingQueue<String> {
    private static final long serialVersionUID = 1L;
    private int pauses;

    @Override
    public @Nullable String poll(long timeout, TimeUnit unit) {
      return ++pauses > 10 ? "stop" : null;
    }
  }

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("server.conf"), "first");
    watched = new WatchedFiles(ImmutableSet.of(file), Duration.ofMillis(1));
  }

  @Test
  void readsAFileThatHasChangedOnce() throws Exception {
    ReloadRounds<String> rounds = new ReloadRounds<>(occasions, watched);
    Files.writeString(file, "second, which is longer");
    assertThat(rounds.next("reload")).isEqualTo("reload");
    rounds.read(() -> watched);
    assertThat(rounds.next("reload")).isEqualTo("stop");
  }

  @Test
  void goesOnAndTriesAgainIfItCannotBeUsed() throws Exception {
    ReloadRounds<String> rounds = new ReloadRounds<>(occasions, watched);
    AtomicInteger read = new AtomicInteger();
    Files.writeString(file, "half");
    for (int i = 1; i <= 3; i++) {
      assertThat(rounds.next("reload")).isEqualTo("reload");
      rounds.read(
          () -> {
            read.incrementAndGet();
            throw new ConfigurationException("it ends too soon");
          });
      assertThat(read.get()).isEqualTo(i);
    }
  }

  @Test
  void goesOnWhateverComesOfReading() throws Exception {
    ReloadRounds<String> rounds = new ReloadRounds<>(occasions, watched);
    Files.writeString(file, "keys = \"\\u0000\"");
    assertThat(rounds.next("reload")).isEqualTo("reload");
    rounds.read(
        () -> {
          throw new InvalidPathException("\u0000", "Nul character not allowed");
        });
    assertThat(rounds.next("reload")).isEqualTo("reload");
  }

  @Test
  void looksAtNothingIfItIsNotTo() throws Exception {
    ReloadRounds<String> rounds =
        new ReloadRounds<>(occasions, new WatchedFiles(ImmutableSet.of(file), Duration.ZERO));
    Files.writeString(file, "second, which is longer");
    occasions.add("stop");
    assertThat(rounds.next("reload")).isEqualTo("stop");
  }
}
