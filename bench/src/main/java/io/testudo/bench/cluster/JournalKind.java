package io.testudo.bench.objects;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.journal.FileJournal;
import io.testudo.quorum.journal.JournalException;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.journal.JournalOptions.Survives;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Journal;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Executor;

/** What servers keep of what they promise. */
enum JournalKind {
  /** In memory: nothing survives the process. */
  OFF {
    @Override
    Journal open(Path directory, ServerId server, Executor loop) {
      return new MemoryJournal();
    }
  },

  /** In files without a sync: survives the process, not the loss of power. */
  NOSYNC {
    @Override
    Journal open(Path directory, ServerId server, Executor loop) {
      return openFile(directory, server, loop, Survives.PROCESS_DEATH);
    }
  },

  /** In files, synced before any answer. */
  SYNC {
    @Override
    Journal open(Path directory, ServerId server, Executor loop) {
      return openFile(directory, server, loop, Survives.POWER_LOSS);
    }
  };

  abstract Journal open(Path directory, ServerId server, Executor loop);

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static Journal openFile(
      Path directory, ServerId server, Executor loop, Survives survives) {
    byte[] identity = server.toString().getBytes(StandardCharsets.US_ASCII);
    Path own = directory.resolve(server.toString());
    try {
      FileJournal.create(own, identity);
      return FileJournal.open(
          own, identity, loop, JournalOptions.defaults().withSurvives(survives));
    } catch (JournalException e) {
      throw new UncheckedIOException(e);
    }
  }
}
