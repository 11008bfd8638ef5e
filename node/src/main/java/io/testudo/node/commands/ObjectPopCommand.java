package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.ExitCode;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code testudo object pop}: takes from a queue. */
@Command(
    name = "pop",
    description = "Takes the first element from a queue, and prints it.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:there was one", "1:there was none"},
    footerHeading = "%nExample:%n",
    footer = "  testudo object pop jobs")
final class ObjectPopCommand extends ObjectAction {
  @Override
  protected boolean isRead() {
    return false;
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    Optional<Bytes> taken = await(client.queue(name).withTimeout(patience).poll());
    done(ObjectKind.QUEUE, shown(taken.orElseThrow(() -> noValue(null))));
    return ExitCode.OK;
  }
}
