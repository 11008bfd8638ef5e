package io.testudo.node.server;

import io.testudo.node.CommandException;
import io.testudo.node.config.CommonSettings;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.journal.FileJournal;
import io.testudo.quorum.journal.JournalException;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Where one server keeps the journals of its halves. */
public interface Journals {
  /**
   * The journal of a half as it is at this start.
   *
   * @param loop on which the half lives
   */
  Journal open(String half, Executor loop);

  /** The server has ended; its journals may be opened again. */
  void release();

  /** Journals that live as long as this object. */
  static Journals inMemory() {
    Map<String, MemoryJournal> journals = new HashMap<>();
    return new Journals() {
      @Override
      public Journal open(String half, Executor loop) {
        return journals.computeIfAbsent(half, any -> new MemoryJournal());
      }

      @Override
      public void release() {}
    };
  }

  /** Makes the journals of a new server. They say whose they are, and are never overwritten. */
  static void create(Path data, String cluster, ServerId server, CommonSettings common)
      throws IOException {
    for (String half : Halves.journals(common)) {
      FileJournal.create(data.resolve(half), identity(cluster, server, half));
    }
  }

  /** Journals in files that were created before. */
  static Journals in(Path data, String cluster, ServerId server, JournalOptions options) {
    List<FileJournal> opened = new ArrayList<>();
    return new Journals() {
      @Override
      public Journal open(String half, Executor loop) {
        try {
          FileJournal journal =
              FileJournal.open(data.resolve(half), identity(cluster, server, half), loop, options);
          opened.add(journal);
          return journal;
        } catch (JournalException e) {
          throw new CommandException(String.valueOf(e.getMessage()), e);
        }
      }

      @Override
      public void release() {
        for (FileJournal journal : opened) {
          try {
            journal.close();
          } catch (IOException e) {
            throw new CommandException(
                "A journal could not be closed (%s); look after the disk.".formatted(e), e);
          }
        }
        opened.clear();
      }
    };
  }

  private static byte[] identity(String cluster, ServerId server, String half) {
    return "testudo %s %s %s".formatted(cluster, server, half).getBytes(StandardCharsets.UTF_8);
  }
}
