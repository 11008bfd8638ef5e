package io.testudo.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.OneCommand;
import io.testudo.node.local.FreePorts;
import io.testudo.node.server.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/tutorial.md, command by command, with servers in this process and at other ports. What is
 * printed must be what the page shows, but for numbers.
 */
class TutorialTest {
  private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
  private static final Pattern SERVER = Pattern.compile(".*\\./testudo server .*/s(\\$i|\\d)/.*");
  private static final Pattern KILL = Pattern.compile("pkill -f house/s(\\d)/server.conf");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final int SERVERS = 4;

  @TempDir Path temporary;

  private final Map<Integer, Daemon> running = new HashMap<>();

  private final List<Integer> ports = FreePorts.find(SERVERS);
  private String config = "";

  /**
   * A command with what it prints.
   *
   * @param output without numbers
   */
  private record Line(String command, String output) {}

  @AfterEach
  void stop() {
    running.values().forEach(Daemon::close);
  }

  private static List<Line> lines() throws IOException {
    List<Line> lines = new ArrayList<>();
    String page = Files.readString(Path.of("..", "docs", "tutorial.md"));
    for (MatchResult block : BLOCK.matcher(page).results().toList()) {
      for (String part : block.group(1).split("(?m)^\\$ ", -1)) {
        if (!part.isEmpty()) {
          int end = part.indexOf('\n');
          lines.add(new Line(part.substring(0, end), part.substring(end + 1)));
        }
      }
    }
    return lines;
  }

  /** Numbers, and how far apart columns are, differ from run to run; so do reasons, by load. */
  private static String comparable(String text) {
    return text.replaceAll("\n +", " ") // Below the others if there is no room beside them.
        .replaceAll("-?\\d+(\\.\\d+)?", "0")
        .replaceAll(" +", " ")
        .replaceAll("(servers answered, 0 are needed) .*", "$1")
        // Told if the number that it draws at its start happens to be a large one.
        .replace(", said what no correct server says, see below", "")
        .replaceAll("s0: admin says .*\n", "")
        .replaceAll("s0 counts as failing until .*\n", "")
        .strip();
  }

  @Test
  void printsWhatThePageShows() throws Exception {
    int compared = 0;
    for (Line line : lines()) {
      String command = line.command();
      if (SERVER.matcher(command).matches()) {
        startServers(command);
      } else if (command.startsWith("pkill ")) {
        kill(command);
      } else if (command.startsWith("export TESTUDO_CONFIG=")) {
        config = inTemporary(command.substring(command.indexOf('=') + 1));
      } else if (command.startsWith("./testudo ")) {
        assertThat(comparable(run(words(command))))
            .as(command)
            .isEqualTo(comparable(line.output()));
        compared++;
      } else {
        assertThat(shell(command)).as(command).isZero();
      }
    }
    assertThat(compared).isGreaterThan(12);
  }

  private String inTemporary(String path) {
    return temporary.resolve(path).toString();
  }

  private void startServers(String command) {
    Matcher matcher = SERVER.matcher(command);
    assertThat(matcher.matches()).isTrue();
    boolean isLoop = matcher.group(1).equals("$i");
    int first = isLoop ? 0 : Integer.parseInt(matcher.group(1));
    for (int server = first; server < (isLoop ? SERVERS : first + 1); server++) {
      Path file = temporary.resolve("house/s" + server + "/server.conf");
      running.put(server, Daemon.start(file));
    }
  }

  private void kill(String command) {
    Matcher matcher = KILL.matcher(command);
    assertThat(matcher.matches()).as(command).isTrue();
    running.remove(Integer.parseInt(matcher.group(1))).close();
  }

  private static List<String> words(String command) {
    return WORD.matcher(command)
        .results()
        .skip(1)
        .map(word -> word.group(1) != null ? word.group(1) : word.group(2))
        .toList();
  }

  private String run(List<String> words) throws IOException {
    List<String> arguments = new ArrayList<>(words);
    Path printed = temporary.resolve("printed");
    Files.deleteIfExists(printed);
    if (words.get(0).equals("init")) {
      arguments.set(1, inTemporary(words.get(1)));
      for (int i = 0; i < SERVERS; i++) {
        int port = ports.get(i);
        String shown = ":700" + (i + 1);
        arguments.replaceAll(word -> word.replace(shown, ":" + port));
      }
    } else {
      if (words.get(0).equals("status")) {
        arguments.addAll(List.of("--timeout", "20s")); // On a busy machine, too.
      }
      int dash = arguments.indexOf("--");
      arguments.addAll(dash < 0 ? arguments.size() : dash, List.of("--config", config));
    }
    int dash = arguments.indexOf("--");
    if (dash >= 0) {
      // What it runs would print to the stream by which this process talks to Maven.
      List<String> rest = List.copyOf(arguments.subList(dash + 1, arguments.size()));
      arguments.subList(dash + 1, arguments.size()).clear();
      arguments.addAll(List.of("sh", "-c", "\"$@\" > '" + printed + "'", "sh"));
      arguments.addAll(rest);
    }
    OneCommand done = OneCommand.run(arguments.toArray(String[]::new));
    String output = done.out() + done.err();
    return (output + (Files.exists(printed) ? Files.readString(printed) : ""))
        .replace(temporary + "/", "");
  }

  private int shell(String command) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", command).directory(temporary.toFile()).start().waitFor();
  }
}
