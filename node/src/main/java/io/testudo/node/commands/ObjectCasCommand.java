package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code testudo object cas}: sets a value if it is as expected. */
@Command(
    name = "cas",
    description = "Sets a register, counter or key of a map if it is as expected.",
    customSynopsis = "testudo object cas [OPTIONS] NAME [KEY] EXPECTED NEW",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:it was as expected, and was set", "1:it was not, and was left"},
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo object cas leader alice bob",
      "  testudo object cas orders 4711 --absent '2 shields'"
    })
final class ObjectCasCommand extends ObjectAction {
  @Parameters(
      index = "1..*",
      arity = "1..3",
      paramLabel = "[KEY] EXPECTED NEW",
      hideParamSyntax = true,
      description = "With a key the object is a map.")
  private List<String> words = new ArrayList<>();

  @Option(names = "--absent", description = "There must be no value; leave EXPECTED out.")
  private boolean absent;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      converter = ObjectKinds.class,
      description = "What the object is: register, map or counter.")
  private @Nullable ObjectKind kind;

  @Override
  protected boolean isRead() {
    return false;
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    int keys = words.size() - (absent ? 1 : 2);
    ObjectKind chosen = kind != null ? kind : keys == 1 ? ObjectKind.MAP : ObjectKind.REGISTER;
    if (keys != (chosen == ObjectKind.MAP ? 1 : 0)) {
      throw CommandException.usage(
          "Give %s%s the new value."
              .formatted(
                  chosen == ObjectKind.MAP ? "a key, " : "", absent ? "" : "what is expected and"));
    }
    String fresh = words.get(words.size() - 1);
    Optional<Bytes> expected =
        absent ? Optional.empty() : Optional.of(bytes(words.get(words.size() - 2)));
    boolean swapped =
        switch (chosen) {
          case MAP ->
              await(
                  client
                      .map(name)
                      .withTimeout(patience)
                      .compareAndSet(bytes(words.get(0)), expected, Optional.of(bytes(fresh))));
          case REGISTER ->
              await(
                  client
                      .register(name)
                      .withTimeout(patience)
                      .compareAndSet(expected, bytes(fresh)));
          case COUNTER -> {
            if (absent) {
              throw CommandException.usage("A counter always has a value; leave --absent out.");
            }
            yield await(
                client
                    .counter(name)
                    .withTimeout(patience)
                    .compareAndSet(number(words.get(0)), number(fresh)));
          }
          case QUEUE, LOG ->
              throw CommandException.usage("A %s cannot be compared and set.".formatted(chosen));
        };
    done(chosen, swapped ? "set" : "not as expected");
    return swapped ? ExitCode.OK : ExitCode.FAILED;
  }
}
