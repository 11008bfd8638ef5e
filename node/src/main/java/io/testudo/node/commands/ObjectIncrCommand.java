package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.ordering.objects.CounterObject;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code testudo object incr}: counts. */
@Command(
    name = "incr",
    description = "Adds to a counter, and prints what it is then.",
    footerHeading = "%nExample:%n",
    footer = {"  testudo object incr visits", "  testudo object incr visits -- -5"})
final class ObjectIncrCommand extends ObjectAction {
  @Parameters(
      index = "1",
      arity = "0..1",
      defaultValue = "1",
      paramLabel = "BY",
      description = "How much (default: ${DEFAULT-VALUE}).")
  private String amount = "1";

  @Override
  protected boolean isRead() {
    return false;
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    long by = number(amount);
    CounterObject counter = client.counter(name).withTimeout(patience);
    done(ObjectKind.COUNTER, await(counter.increment(by)));
    return 0;
  }
}
