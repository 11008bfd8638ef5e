package io.testudo.node.client;

import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A command with all that it starts. It runs in a session of its own, where there is {@code
 * setsid}, so that one signal reaches the whole process group; what has left the group is found
 * among the descendants when it must be killed.
 */
public final class ChildGroup {
  private static final String SETSID = "setsid";
  private static final long KILL_COMMAND_SECONDS = 5;

  private final Process process;
  private final boolean hasGroup;

  /** Descendants that were seen; those of a process that has ended are found no more. */
  private final Set<ProcessHandle> seen = new HashSet<>();

  private ChildGroup(Process process, boolean hasGroup) {
    this.process = process;
    this.hasGroup = hasGroup;
  }

  /**
   * Starts a command with the streams of this process.
   *
   * @param environment in addition to that of this process
   */
  public static ChildGroup start(List<String> command, Map<String, String> environment) {
    boolean hasGroup = isOnPath(SETSID);
    List<String> whole = new ArrayList<>();
    if (hasGroup) {
      whole.add(SETSID);
    }
    whole.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(whole).inheritIO();
    builder.environment().putAll(environment);
    try {
      return new ChildGroup(builder.start(), hasGroup);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.NOT_RUN,
          "'%s' could not be started (%s); name a command that is on the PATH."
              .formatted(command.get(0), e.getMessage()),
          e);
    }
  }

  /**
   * Refuses what no shell would run, with the exit codes of shells; a lock is not worth waiting for
   * then.
   */
  public static void requireRunnable(String program) {
    if (isOnPath(program)) {
      return;
    }
    if (program.indexOf(File.separatorChar) >= 0 && Files.exists(Path.of(program))) {
      throw new CommandException(
          ExitCode.NOT_EXECUTABLE,
          "'%s' is no program that this user may run; nothing was run.".formatted(program),
          null);
    }
    throw new CommandException(
        ExitCode.NOT_FOUND,
        program.indexOf(File.separatorChar) >= 0
            ? "There is no file '%s'; nothing was run.".formatted(program)
            : "There is no command '%s' on the PATH; nothing was run.".formatted(program),
        null);
  }

  /** Whether a name without a slash is a program that this user can run, or a path is. */
  public static boolean isOnPath(String program) {
    if (program.indexOf(File.separatorChar) >= 0) {
      return Files.isExecutable(Path.of(program)) && Files.isRegularFile(Path.of(program));
    }
    String path = System.getenv("PATH");
    for (String directory : (path == null ? "" : path).split(File.pathSeparator, -1)) {
      Path file = Path.of(directory.isEmpty() ? "." : directory, program);
      if (Files.isExecutable(file) && Files.isRegularFile(file)) {
        return true;
      }
    }
    return false;
  }

  /** Its exit code, when it has ended; 128 and the number if a signal ended it. */
  public CompletableFuture<Integer> onExit() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /**
   * Sends a signal to the group.
   *
   * @param name such as TERM
   */
  public void signal(String name) {
    look();
    if (hasGroup) {
      send(name, "-" + process.pid());
    } else {
      String all =
          seen.stream()
              .filter(ProcessHandle::isAlive)
              .map(handle -> Long.toString(handle.pid()))
              .collect(Collectors.joining(" "));
      send(name, process.pid() + " " + all);
    }
  }

  /** Ends all of it at once. */
  public void kill() {
    look();
    if (hasGroup) {
      send("KILL", "-" + process.pid());
    }
    process.destroyForcibly();
    seen.forEach(ProcessHandle::destroyForcibly);
  }

  private void look() {
    process.descendants().forEach(seen::add);
  }

  /** By the shell, which is everywhere: Java can send two signals only, and none to a group. */
  private static void send(String name, String targets) {
    try {
      Process kill =
          new ProcessBuilder("sh", "-c", "kill -s " + name + " -- " + targets)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!kill.waitFor(KILL_COMMAND_SECONDS, TimeUnit.SECONDS)) {
        kill.destroyForcibly();
      }
    } catch (IOException e) {
      // Nothing is lost: what does not end by itself is killed another way.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
