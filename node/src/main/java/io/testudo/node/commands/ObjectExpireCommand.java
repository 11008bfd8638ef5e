package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.ordering.TimeToLive;
import io.testudo.quorum.Right;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code testudo object expire}: sets for how long an object is there. */
@Command(
    name = "expire",
    description = {
      "Sets for how long an object is there from now on, by the clock of the client that orders it.",
      "After that it is as if it were deleted; 'testudo object sweep' gives back its room."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:it is set", "1:there is no such object"},
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo object expire sessions/alice 30m --renewed",
      "  testudo object expire sessions/alice --never"
    })
final class ObjectExpireCommand extends ObjectAction {
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "For how long, such as 90s, 30m or 12h.")
  private @Nullable Duration time;

  @Option(names = "--renewed", description = "Each change of the object begins the time anew.")
  private boolean renewed;

  @Option(names = "--never", description = "It has no end any more.")
  private boolean never;

  private record ExpiryRow(String object, boolean isThere) {}

  @Override
  protected boolean isRead() {
    return false;
  }

  @Override
  protected Right right() {
    return Right.ORDER;
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    if (never == (time != null) || (never && renewed)) {
      throw CommandException.usage("Give a time, such as 30m, or --never.");
    }
    TimeToLive ttl = time == null ? TimeToLive.ENDLESS : new TimeToLive(time, renewed);
    boolean isThere = await(client.objects().any(name).withTimeout(patience).expireAfter(ttl));
    if (!isThere) {
      throw new CommandException("There is no object '%s'.".formatted(name));
    }
    output.row(new ExpiryRow(name, true), "set");
    return ExitCode.OK;
  }
}
