package io.testudo.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Shells that run {@code testudo lock} again and again, each time with a critical section that
 * shows any overlap: it writes that it enters and leaves into one log, and between them it
 * increments a number in a file slowly, so that two at once lose an increment. Outside of the lock
 * each of them increments a counter object.
 */
final class Shells {
  private static final String SECTION =
      """
      echo "enter $TESTUDO_FENCE" >> "$1/log"
      n=$(cat "$1/count")
      sleep 0.05
      echo $((n + 1)) > "$1/count.$TESTUDO_FENCE" && mv "$1/count.$TESTUDO_FENCE" "$1/count"
      echo "leave $TESTUDO_FENCE" >> "$1/log"
      """;

  private static final String LOOP =
      """
      while [ ! -e "$1/stop" ]; do
        while [ -e "$1/pause" ] && [ ! -e "$1/stop" ]; do sleep 0.1; done
        "$2" lock job --wait 60s --hold 2s -- sh "$1/section" "$1" || echo "lock: code $?" >> "$1/failures"
        "$2" object incr visits --timeout 60s >> "$1/increments" || echo "incr: code $?" >> "$1/failures"
      done
      """;

  private final Path directory;
  private final List<Testudo.Run> shells = new ArrayList<>();

  private Shells(Path directory) {
    this.directory = directory;
  }

  static Shells start(Testudo testudo, Path directory, Path config, int count) throws IOException {
    Files.createDirectory(directory);
    Files.writeString(directory.resolve("section"), SECTION);
    Files.writeString(directory.resolve("count"), "0\n");
    Files.writeString(directory.resolve("log"), "");
    Files.writeString(directory.resolve("increments"), "");
    Shells shells = new Shells(directory);
    for (int i = 0; i < count; i++) {
      shells.shells.add(
          testudo.startProgram(
              List.of("sh", "-c", LOOP, "sh", directory.toString(), testudo.script().toString()),
              Map.of("TESTUDO_CONFIG", config.toString())));
    }
    return shells;
  }

  /** How many sections have ended. */
  long left() {
    return log().stream().filter(line -> line.startsWith("leave")).count();
  }

  private List<String> log() {
    try {
      return Files.readAllLines(directory.resolve("log"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until so many more sections have ended. */
  void awaitProgress(long more) throws InterruptedException {
    long before = left();
    Testudo.await(more + " more sections", () -> left() >= before + more);
  }

  /** Lets the shells begin nothing new, and cost nothing, until they are to go on. */
  void pause() throws IOException {
    Files.createFile(directory.resolve("pause"));
  }

  void goOn() throws IOException {
    Files.delete(directory.resolve("pause"));
  }

  /** Lets the shells end after their present section. */
  void stop() throws IOException, InterruptedException {
    Files.createFile(directory.resolve("stop"));
    for (Testudo.Run shell : shells) {
      int unused = shell.awaitEnd();
    }
  }

  /** The sections that overlapped another one: those that were left after a later one began. */
  List<String> overlaps() {
    List<String> overlaps = new ArrayList<>();
    Set<String> inside = new HashSet<>();
    long highest = 0;
    for (String line : log()) {
      String fence = line.substring(line.indexOf(' ') + 1);
      if (line.startsWith("enter")) {
        long token = Long.parseLong(fence);
        if (token <= highest) {
          overlaps.add("fence " + token + " after " + highest);
        }
        highest = Math.max(highest, token);
        if (!inside.isEmpty()) {
          overlaps.add("entered with " + fence + " while inside: " + inside);
        }
        inside.add(fence);
      } else {
        inside.remove(fence);
      }
    }
    return overlaps;
  }

  /** How often the number was incremented, if no increment was lost. */
  long count() throws IOException {
    return Long.parseLong(Files.readString(directory.resolve("count")).strip());
  }

  /** What the increments of the counter object gave, lowest first. */
  List<Long> increments() throws IOException {
    return Files.readAllLines(directory.resolve("increments")).stream()
        .map(Long::valueOf)
        .sorted()
        .toList();
  }

  /** What the commands ended with that did not end well. */
  List<String> failures() throws IOException {
    Path file = directory.resolve("failures");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }
}
