package io.testudo.node.commands;

import io.testudo.client.config.ClientConfig;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.FileTrouble;
import io.testudo.node.Output;
import io.testudo.node.ProgressLine;
import io.testudo.node.Subcommand;
import io.testudo.node.log.Printable;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.log.TypeLabel;
import io.testudo.ordering.objects.LargeMap;
import io.testudo.ordering.objects.LargeMapLayout;
import io.testudo.ordering.typed.ArchiveModel.Restored;
import io.testudo.quorum.Right;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code testudo object import}: restores what was exported. */
@Command(
    name = "import",
    description = {
      "Restores objects that 'testudo object export' wrote, each in one operation.",
      "An object that exists is left as it is, unless told otherwise. Import again after an "
          + "interruption: what is there already is passed over."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all objects are as the file says",
      "1:some were left, or the file is wrong",
      "75:nobody knows whether the last object was restored; import again"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo object import backup.jsonl",
      "  gunzip -c config.jsonl.gz | testudo object import - --overwrite"
    })
final class ObjectImportCommand implements Subcommand {
  @Parameters(paramLabel = "FILE", description = "What was exported; - for standard input.")
  private Path file;

  @Option(
      names = "--overwrite",
      description = "Replace objects of the same type that exist; what they hold is lost.")
  private boolean overwrite;

  @Option(
      names = "--add-prefix",
      paramLabel = "PREFIX",
      defaultValue = "",
      description = "Put this in front of all names.")
  private String addedPrefix = "";

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin private Output output;
  @Spec private CommandSpec spec;

  private record DoneRow(long restored, long same, long left, long ended) {}

  private long restored;
  private long same;
  private long left;
  private long ended;
  private boolean isComplete;

  /** Large maps whose keys are elsewhere than in the file: its shards are of no use to them. */
  private final Set<String> leftMaps = new HashSet<>();

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    try (BufferedReader in = open();
        ObjectBatches batches = new ObjectBatches(config, timeout.orAsConfigured(config));
        ProgressLine progress = ProgressLine.onTerminal(Long.MAX_VALUE, "objects")) {
      long number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        if (!line.isBlank()) {
          take(config, batches, number, line);
          progress.accept(restored + same + left + ended);
        }
      }
    } catch (IOException e) {
      throw new CommandException("%s cannot be read: %s".formatted(file, FileTrouble.words(e)), e);
    }
    output.row(
        new DoneRow(restored, same, left, ended),
        "%d restored, %d were there already, %d left as they are%s"
            .formatted(
                restored, same, left, ended == 0 ? "" : ", %d have ended since".formatted(ended)));
    if (!isComplete) {
      tell(
          "The file does not say that it is complete: its end is missing, or the export left out"
              + " objects.");
    }
    return left == 0 && isComplete ? ExitCode.OK : ExitCode.FAILED;
  }

  private BufferedReader open() throws IOException {
    return file.toString().equals("-")
        ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
        : Files.newBufferedReader(file, StandardCharsets.UTF_8);
  }

  private void take(ClientConfig config, ObjectBatches batches, long number, String line)
      throws InterruptedException {
    ObjectLine.Parsed parsed;
    Restored ending;
    String name;
    try {
      parsed = ObjectLine.parse(line);
      if (parsed.object().isEmpty()) {
        isComplete |= parsed.isEnd();
        return;
      }
      if (parsed.life().isOver(System.currentTimeMillis())) {
        ended++;
        return;
      }
      name = addedPrefix + parsed.object();
      config.require(Right.ORDER, name);
      if (LargeMap.ofShard(name).filter(leftMaps::contains).isPresent()) {
        leave(
            "'%s' was left: in the large map that exists, its keys are elsewhere.".formatted(name));
        return;
      }
      ending = batches.await(name, batches.next().restore(name, parsed.state(), overwrite));
    } catch (ObjectLine.MalformedLineException | MalformedValueException e) {
      throw new CommandException(
          "%s, line %d is no object: %s. %d objects before it are restored."
              .formatted(file, number, e.getMessage(), restored),
          e);
    }
    batches.kept(parsed.state().size());
    boolean isLayout = TypeLabel.ofState(parsed.state()) == LargeMapLayout.TYPE.number();
    if (isLayout && (ending == Restored.EXISTS || ending == Restored.OTHER_TYPE)) {
      leave(
          "'%s' exists and is no large map with the same layout, which never changes; import it with"
                  .formatted(name)
              + " --add-prefix.");
      boolean unused = leftMaps.add(name);
      return;
    }
    switch (ending) {
      case DONE -> restored++;
      case SAME -> same++;
      case EXISTS -> leave("'%s' exists and was left; --overwrite replaces it.".formatted(name));
      case OTHER_TYPE -> leave("'%s' exists, is of another type, and was left.".formatted(name));
    }
  }

  private void leave(String why) {
    left++;
    tell(why);
  }

  private void tell(String text) {
    spec.commandLine().getErr().println(Printable.of(text));
  }
}
