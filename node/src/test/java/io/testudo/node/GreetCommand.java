package io.testudo.node;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command as others write them, named in META-INF/services of the tests. */
@Command(name = "greet", description = "Greets, for tests.")
public final class GreetCommand implements Subcommand {
  private record Greeting(String name, int times, @Nullable Long pauseMillis) {}

  @Option(names = "--name", required = true, description = "Whom to greet.")
  private String name = "";

  @Option(names = "--times", defaultValue = "1", description = "How often.")
  private int times;

  @Mixin private Output output;

  public GreetCommand() {}

  @Override
  public Integer call() {
    output.text("Greetings:");
    output.row(new Greeting(name, times, null), "Hello " + name + ", " + times + " times");
    return ExitCode.OK;
  }
}
