package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.ExitCode;
import io.testudo.ordering.objects.LogObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code testudo object append}: adds to a log. */
@Command(
    name = "append",
    description = "Appends an entry to a log, and prints its number.",
    footerHeading = "%nExample:%n",
    footer = "  testudo object append audit 'alice came in'")
final class ObjectAppendCommand extends ObjectAction {
  @Parameters(index = "1", arity = "0..1", paramLabel = "VALUE", description = "The value.")
  private @Nullable String value;

  @Mixin private ObjectInput input;

  @Override
  protected boolean isRead() {
    return false;
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    LogObject log = client.log(name).withTimeout(patience);
    done(ObjectKind.LOG, await(log.append(input.value(value, this::bytes))));
    return ExitCode.OK;
  }
}
