package io.testudo.node.commands;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.FileTrouble;
import io.testudo.node.JsonLines;
import io.testudo.node.ProgressLine;
import io.testudo.node.Subcommand;
import io.testudo.node.log.Printable;
import io.testudo.ordering.access.ObjectArchive.Archived;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.objects.LargeMap;
import io.testudo.ordering.typed.ArchiveModel;
import io.testudo.ordering.typed.ArchivedState;
import io.testudo.ordering.typed.ArchivedState.Unreadable;
import io.testudo.ordering.typed.ArchivedState.Untouched;
import io.testudo.quorum.Bytes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code testudo object export}: writes objects down. */
@Command(
    name = "export",
    description = {
      "Writes objects as lines of JSON, one object on each, for 'testudo object import'.",
      "Each object is as it was at one moment, with all that was answered before; different objects "
          + "at different moments. Bytes that are no text are in base64. What a type of one's own holds is "
          + "written as it is, unless its operations send changes that only its own clients understand."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all are written", "1:some could not be, or nothing"},
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo object export --file backup.jsonl",
      "  testudo object export config/ | gzip > config.jsonl.gz"
    })
final class ObjectExportCommand implements Subcommand {
  /** Of the lines. */
  static final int FORMAT = 1;

  @Parameters(
      arity = "0..1",
      paramLabel = "PREFIX",
      description = "Only names that start so; by default all that this client may read.")
  private @Nullable String prefix;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Where to; it appears when it is complete. By default to standard output.")
  private @Nullable Path file;

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Spec private CommandSpec spec;

  private record FirstRow(String export, int format, String prefix, String at) {}

  private record LastRow(boolean complete, long objects, long unreadable) {}

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    NavigableSet<String> names = names(config);
    if (file == null) {
      return write(config, names, spec.commandLine().getOut());
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      int code;
      try (PrintWriter out =
          new PrintWriter(Files.newBufferedWriter(part, StandardCharsets.UTF_8))) {
        code = write(config, names, out);
        if (out.checkError()) {
          throw new CommandException("%s cannot be written; is there room?".formatted(part));
        }
      }
      Path unused =
          Files.move(
              part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return code;
    } catch (IOException e) {
      throw new CommandException(
          "%s cannot be written: %s".formatted(file, FileTrouble.words(e)), e);
    }
  }

  /**
   * What any server says that there is. An object that was changed is known to a correct server of
   * every quorum, but perhaps to one only; what liars make up is found out when it is read. With a
   * shard comes what says which keys it has, although that may have been made after its page of a
   * list was: without it the shard is of no use.
   */
  private NavigableSet<String> names(ClientConfig config) throws InterruptedException {
    Duration patience = timeout.orAsConfigured(config);
    NavigableSet<String> names = new TreeSet<>();
    try (ClusterClient cluster = ClusterClient.connect(config)) {
      for (String each : ListedPrefixes.of(config, prefix)) {
        WholeLists.ask(cluster, each, patience).pages().values().stream()
            .flatMap(page -> page.objects().stream())
            .map(ObjectList.Item::object)
            .flatMap(name -> Stream.concat(Stream.of(name), LargeMap.ofShard(name).stream()))
            .filter(name -> !name.isEmpty() && name.startsWith(each))
            .forEach(names::add);
      }
    }
    return names;
  }

  private int write(ClientConfig config, NavigableSet<String> names, PrintWriter out)
      throws InterruptedException {
    out.println(
        JsonLines.line(
            new FirstRow(
                "testudo objects",
                FORMAT,
                prefix == null ? "" : prefix,
                Instant.now().toString())));
    Map<String, String> unreadable = new TreeMap<>();
    long written = 0;
    long looked = 0;
    try (ObjectBatches batches = new ObjectBatches(config, timeout.orAsConfigured(config));
        ProgressLine progress = ProgressLine.onTerminal(names.size(), "objects")) {
      for (String name : names) {
        Archived archived = batches.await(name, batches.next().read(name));
        ArchivedState state = archived.state();
        // What has ended nobody sees any more: restored, it would come back.
        boolean isThere =
            !(state instanceof Untouched) && !state.life().isOver(System.currentTimeMillis());
        if (isThere && state instanceof Unreadable why) {
          unreadable.put(name, why.why());
        } else if (isThere) {
          out.println(JsonLines.line(ObjectLine.of(name, archived.version(), state)));
          written++;
          batches.kept(ArchiveModel.encoded(state).map(Bytes::size).orElse(0));
        }
        progress.accept(++looked);
      }
    }
    out.println(JsonLines.line(new LastRow(unreadable.isEmpty(), written, unreadable.size())));
    out.flush();
    unreadable.forEach(
        (name, why) ->
            spec.commandLine()
                .getErr()
                .println(Printable.of("'%s' is not exported: %s.".formatted(name, why))));
    return unreadable.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }
}
