package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.ExitCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code testudo object rm}: removes a value. */
@Command(
    name = "rm",
    description = "Clears a register, or removes a key from a map. The object stays ('delete').",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:it is gone", "1:the map had no such key"},
    footerHeading = "%nExample:%n",
    footer = "  testudo object rm config/web port")
final class ObjectRmCommand extends ObjectAction {
  @Parameters(index = "1", arity = "0..1", paramLabel = "KEY", description = "A key of a map.")
  private @Nullable String key;

  @Override
  protected boolean isRead() {
    return false;
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    if (key == null) {
      await(client.register(name).withTimeout(patience).clear());
      done(ObjectKind.REGISTER, "done");
    } else {
      if (!await(client.map(name).withTimeout(patience).remove(bytes(key)))) {
        throw noValue(key);
      }
      done(ObjectKind.MAP, "done");
    }
    return ExitCode.OK;
  }
}
