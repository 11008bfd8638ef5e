package io.testudo.node.commands;

import com.google.common.collect.ImmutableList;
import io.testudo.client.TestudoClient;
import io.testudo.node.ExitCode;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Snapshot;
import java.time.Duration;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code testudo object get}: reads an object. */
@Command(
    name = "get",
    description = {
      "Prints what an object holds: everything that was answered to anybody before.",
      "Of a map without a key, a queue or a log it prints a line for each element."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:printed", "1:there is no such value"},
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo object get motd",
      "  testudo object get config/web port",
      "  testudo object get visits --type counter"
    })
final class ObjectGetCommand extends ObjectReading {
  @Option(
      names = "--stale",
      description = "What servers have published: quicker, and may lack the latest operations.")
  private boolean stale;

  @Option(
      names = "--from",
      defaultValue = "0",
      paramLabel = "N",
      description = "The first element of a queue or log (default: ${DEFAULT-VALUE}).")
  private long from;

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    ReplicatedObject<?> object = client.object(name, kind().type()).withTimeout(patience);
    Snapshot<?> snapshot =
        stale
            ? await(object.readStaleVersion(Function.<Snapshot<?>>identity()))
            : await(object.readVersion(Function.<Snapshot<?>>identity()));
    ImmutableList<ValueRow> rows = rows(snapshot, from);
    if (rows.isEmpty() && isSingle()) {
      throw noValue();
    }
    rows.forEach(row -> output.row(row, row.text()));
    return ExitCode.OK;
  }
}
