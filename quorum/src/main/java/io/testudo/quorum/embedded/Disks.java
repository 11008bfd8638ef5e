package io.testudo.quorum.embedded;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.journal.FileJournal;
import io.testudo.quorum.journal.JournalException;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Where the servers of an embedded cluster keep their journals. */
interface Disks {
  /**
   * The journal of a machine, as it is at this start of its server.
   *
   * @param machine its place among the machines of the server
   */
  Journal open(ServerId server, int machine, Executor loop);

  /** The server has ended; its journals may be opened again. */
  void release(ServerId server);

  /** Journals that live as long as the cluster. */
  static Disks inMemory() {
    Map<String, MemoryJournal> journals = new HashMap<>();
    return new Disks() {
      @Override
      public Journal open(ServerId server, int machine, Executor loop) {
        return journals.computeIfAbsent(server + "-" + machine, any -> new MemoryJournal());
      }

      @Override
      public void release(ServerId server) {}
    };
  }

  /** Journals in files, each in a directory of its own; a directory that is new is made. */
  static Disks in(Path directory) {
    Map<ServerId, List<FileJournal>> opened = new HashMap<>();
    return new Disks() {
      @Override
      public Journal open(ServerId server, int machine, Executor loop) {
        String name = server + "-" + machine;
        byte[] identity = name.getBytes(StandardCharsets.US_ASCII);
        Path own = directory.resolve(name);
        try {
          if (!Files.exists(own)) {
            FileJournal.create(own, identity);
          }
          FileJournal journal = FileJournal.open(own, identity, loop, JournalOptions.defaults());
          opened.computeIfAbsent(server, any -> new ArrayList<>()).add(journal);
          return journal;
        } catch (JournalException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public void release(ServerId server) {
        List<FileJournal> ended = opened.remove(server);
        if (ended == null) {
          return;
        }
        for (FileJournal journal : ended) {
          try {
            journal.close();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }
    };
  }
}
