package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.ordering.objects.MapObject;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code testudo object put}: sets a value. */
@Command(
    name = "put",
    description = "Sets a register, or a key of a map.",
    customSynopsis = "testudo object put [OPTIONS] NAME [KEY] VALUE",
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo object put motd 'Back at noon'",
      "  testudo object put config/web port 8080",
      "  testudo object put sessions alice token17 --ttl 30m",
      "  testudo object put logo --file logo.png"
    })
final class ObjectPutCommand extends ObjectAction {
  @Parameters(
      index = "1..*",
      arity = "0..2",
      paramLabel = "[KEY] VALUE",
      hideParamSyntax = true,
      description = "With a key the object is a map, else a register.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      converter = ObjectKinds.class,
      description = "What the object is: register, map or counter.")
  private @Nullable ObjectKind kind;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a value of a map is there, as 30s or 2h; by default it stays.")
  private @Nullable Duration ttl;

  @Mixin private ObjectInput input;

  @Override
  protected boolean isRead() {
    return false;
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    int keys = words.size() - (input.isFile() ? 0 : 1);
    ObjectKind chosen = kind != null ? kind : keys == 1 ? ObjectKind.MAP : ObjectKind.REGISTER;
    if (keys != (chosen == ObjectKind.MAP ? 1 : 0)) {
      throw CommandException.usage(
          chosen == ObjectKind.MAP
              ? "A map takes a key and a value; give both."
              : keys < 0
                  ? "The value is missing; give it, or name a --file."
                  : "A %s takes one value; give just that.".formatted(chosen));
    }
    if (ttl != null && chosen != ObjectKind.MAP) {
      throw CommandException.usage(
          "Only values of a map have a time to live; give a key, or leave --ttl out.");
    }
    String typed = input.isFile() ? null : words.get(words.size() - 1);
    switch (chosen) {
      case MAP -> {
        Bytes key = bytes(words.get(0));
        Bytes value = input.value(typed, this::bytes);
        MapObject map = client.map(name).withTimeout(patience);
        await(ttl == null ? map.put(key, value) : map.put(key, value, ttl));
      }
      case REGISTER ->
          await(client.register(name).withTimeout(patience).set(input.value(typed, this::bytes)));
      case COUNTER -> {
        long value = number(input.value(typed, Bytes::utf8).toText().trim());
        await(client.counter(name).withTimeout(patience).set(value));
      }
      case QUEUE, LOG ->
          throw CommandException.usage(
              "A %s has no value to put; use 'testudo object %s'."
                  .formatted(chosen, chosen == ObjectKind.LOG ? "append" : "push"));
    }
    done(chosen, "done");
    return ExitCode.OK;
  }
}
