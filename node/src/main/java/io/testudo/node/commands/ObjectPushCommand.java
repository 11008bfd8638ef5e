package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.ExitCode;
import io.testudo.ordering.objects.QueueObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code testudo object push}: adds to a queue. */
@Command(
    name = "push",
    description = "Adds an element to a queue, and prints its number.",
    footerHeading = "%nExample:%n",
    footer = "  testudo object push jobs 'resize 17.png'")
final class ObjectPushCommand extends ObjectAction {
  @Parameters(index = "1", arity = "0..1", paramLabel = "VALUE", description = "The value.")
  private @Nullable String value;

  @Mixin private ObjectInput input;

  @Override
  protected boolean isRead() {
    return false;
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    QueueObject queue = client.queue(name).withTimeout(patience);
    done(ObjectKind.QUEUE, await(queue.add(input.value(value, this::bytes))));
    return ExitCode.OK;
  }
}
