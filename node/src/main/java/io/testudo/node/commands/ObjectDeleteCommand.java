package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.ExitCode;
import io.testudo.quorum.Right;
import java.time.Duration;
import picocli.CommandLine.Command;

/** {@code testudo object delete}: nothing is left of an object. */
@Command(
    name = "delete",
    description = {
      "Deletes an object of any type: servers give back the room of its state and history.",
      "The name can be used again, for another type too. What was done is never done again."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:it is gone", "1:there was no such object"},
    footerHeading = "%nExample:%n",
    footer = "  testudo object delete jobs/4711")
final class ObjectDeleteCommand extends ObjectAction {
  private record DeletedRow(String object, boolean wasThere) {}

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
    boolean wasThere = await(client.objects().any(name).withTimeout(patience).delete());
    output.row(new DeletedRow(name, wasThere), wasThere ? "deleted" : "there was none");
    return wasThere ? ExitCode.OK : ExitCode.FAILED;
  }
}
