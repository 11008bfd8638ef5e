package io.testudo.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.node.CommandException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine;

/** Runs a command of the bench as the launcher does, and keeps what it says. */
public final class CommandRunner {
  private final String name;
  private final StringWriter out = new StringWriter();
  private final AtomicReference<String> failure = new AtomicReference<>("");

  public CommandRunner(String name) {
    this.name = name;
  }

  /** Gives the exit code. */
  public int run(String arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(new StringWriter(), true))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, line, parsed) -> {
              failure.set(e instanceof CommandException ? String.valueOf(e.getMessage()) : "" + e);
              return 1;
            })
        .execute((name + " " + arguments).split(" "));
  }

  /** Why it failed; empty if it did not. */
  public String failure() {
    return failure.get();
  }

  public String text() {
    return out.toString();
  }

  public List<JsonObject> rows() {
    return text().lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
  }
}
