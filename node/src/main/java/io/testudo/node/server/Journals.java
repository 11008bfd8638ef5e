package io.testudo.node.server;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ServerMachines;
import io.testudo.client.config.CommonSettings;
import io.testudo.node.CommandException;
import io.testudo.node.FileTrouble;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.journal.FileJournal;
import io.testudo.quorum.journal.JournalException;
import io.testudo.quorum.journal.JournalInUseException;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Journal;
import io.testudo.quorum.wire.StateCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Where one server keeps the journals of its machines. */
public interface Journals {
  /**
   * The journal of a machine as it is at this start.
   *
   * @param loop on which the machine lives
   */
  Journal open(String machine, Executor loop);

  /** Whether there is a journal of this name that outlives the process. */
  default boolean has(String machine) {
    return false;
  }

  /** The server has ended; its journals may be opened again. */
  void release();

  /** What it means if the object machine finds its journal empty. */
  Enrolment enrolment();

  /** Journals that live as long as this object. */
  static Journals inMemory() {
    Map<String, MemoryJournal> journals = new HashMap<>();
    return new Journals() {
      @Override
      public Journal open(String machine, Executor loop) {
        return journals.computeIfAbsent(machine, any -> new MemoryJournal());
      }

      @Override
      public void release() {}

      @Override
      public Enrolment enrolment() {
        return Enrolment.FOUNDING;
      }
    };
  }

  /**
   * Makes the journals of a new server. They say whose they are, and are never overwritten. That of
   * objects says that the server is a founder, too: an empty one counts as lost.
   */
  static void create(Path data, String cluster, ServerId server, CommonSettings common)
      throws IOException {
    for (String machine : ServerMachines.journals(common)) {
      create(data, cluster, server, machine, ServerMachines.founding(machine), common);
    }
  }

  /**
   * Makes those journals that are missing, for a server that lost them and is readmitted. What they
   * begin with makes up for what was forgotten, at the price of some patience.
   *
   * @return which were missing
   */
  static ImmutableList<String> readmit(
      Path data, String cluster, ServerId server, CommonSettings common) {
    ImmutableList.Builder<String> missing = ImmutableList.builder();
    try {
      Files.createDirectories(data);
      for (String machine : ServerMachines.journals(common)) {
        if (!FileJournal.exists(data.resolve(machine))) {
          List<StateRecord> first = new ArrayList<>();
          first.add(JournalRound.JOINING);
          first.addAll(ServerMachines.returning(machine, common, Instant.now().toEpochMilli()));
          create(data, cluster, server, machine, first, common);
          missing.add(machine);
        }
      }
    } catch (IOException e) {
      throw new CommandException(
          "New journals cannot be made in %s: %s".formatted(data, FileTrouble.words(e)), e);
    }
    return missing.build();
  }

  private static void create(
      Path data,
      String cluster,
      ServerId server,
      String machine,
      List<StateRecord> first,
      CommonSettings common)
      throws IOException {
    byte[] identity = identity(cluster, server, machine);
    StateCodec codec = new StateCodec(ServerMachines.types(common).and(JournalRound.TYPES));
    FileJournal.create(data.resolve(machine), identity, first.stream().map(codec::encode).toList());
  }

  /**
   * Journals in files that were created before.
   *
   * @param enrolment what an empty journal of objects means
   */
  static Journals in(
      Path data, String cluster, ServerId server, JournalOptions options, Enrolment enrolment) {
    List<FileJournal> opened = new ArrayList<>();
    return new Journals() {
      @Override
      public Journal open(String machine, Executor loop) {
        try {
          FileJournal journal =
              FileJournal.open(
                  data.resolve(machine), identity(cluster, server, machine), loop, options);
          opened.add(journal);
          return journal;
        } catch (JournalInUseException e) {
          throw new CommandException(String.valueOf(e.getMessage()), e);
        } catch (JournalException e) {
          String hint =
              FileJournal.exists(data.resolve(machine))
                  ? " If it cannot be mended, move %s away and start the server once with --readmit."
                      .formatted(data.resolve(machine))
                  : " If it is lost for good, start the server once with --readmit.";
          throw new CommandException(e.getMessage() + hint, e);
        }
      }

      @Override
      public boolean has(String machine) {
        return FileJournal.exists(data.resolve(machine));
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

      @Override
      public Enrolment enrolment() {
        return enrolment;
      }
    };
  }

  private static byte[] identity(String cluster, ServerId server, String machine) {
    return "testudo %s %s %s".formatted(cluster, server, machine).getBytes(StandardCharsets.UTF_8);
  }
}
