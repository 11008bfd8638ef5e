package io.testudo.launcher;

import io.testudo.rules.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A directory with the real script, one source, and programs that play the parts of Maven and Java.
 * Maven notes its call and writes the jar; Java prints its arguments.
 */
final class FakeCheckout implements AutoCloseable {
  /** What the script may need of the system; flock is missing, to see that it can do without. */
  private static final List<String> TOOLS_WITHOUT_FLOCK =
      List.of(
          "bash",
          "cat",
          "dirname",
          "find",
          "mkdir",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "tail",
          "touch");

  private static final String FAKE_MAVEN =
      """
      #!/usr/bin/env bash
      echo "noise of the build"
      echo "$PWD $*" >>"$MAVEN_CALLS"
      # A gate is a pipe that the test opens when the build may go on.
      [[ -z ${MAVEN_GATE:-} ]] || read -r _ <"$MAVEN_GATE"
      [[ -z ${MAVEN_FAILS:-} ]] || { echo "symbol not found"; exit 1; }
      mkdir -p bench/target/dist/lib
      echo jar >bench/target/dist/lib/testudo-bench-1.jar
      """;

  private static final String FAKE_JAVA =
      """
      #!/usr/bin/env bash
      if [[ $* == *TrainingRun ]]; then
        echo "$*" >>"$TRAINING_RUNS"
        exit 0
      fi
      if [[ $* == *-Xshare:dump* ]]; then
        for argument; do
          [[ -z ${JAVA_ARCHIVES:-} || $argument != -XX:SharedArchiveFile=* ]] ||
            echo classes >"${argument#*=}"
        done
        exit 0
      fi
      printf '%s\\n' "$@"
      exit "${JAVA_CODE:-0}"
      """;

  private final Path home;
  final Path root;
  final Path source;
  final Path driver;
  final Path jar;
  final Map<String, String> environment = new TreeMap<>();
  private final List<Process> started = new ArrayList<>();

  FakeCheckout(Path home) throws IOException {
    this.home = home.toRealPath();
    // A space in the path, because people have them.
    root = this.home.resolve("check out");
    source = root.resolve("crypto/src/main/java/Key.java");
    jar = root.resolve("bench/target/dist/lib/testudo-bench-1.jar");
    write(root.resolve("pom.xml"), "<project/>");
    write(root.resolve("crypto/pom.xml"), "<project/>");
    write(source, "class Key {}");
    driver = root.resolve("peers/fake/src/main/java/Driver.java");
    write(driver, "class Driver {}");
    Files.copy(
        SourceTree.ofRunningTests().root().resolve("testudo"),
        script(),
        StandardCopyOption.COPY_ATTRIBUTES);
    writeProgram(this.home.resolve("maven/mvn"), FAKE_MAVEN);
    installJava("17.0.1");
    environment.put("PATH", this.home.resolve("maven") + ":" + System.getenv("PATH"));
    environment.put("JAVA_HOME", jdk().toString());
    environment.put("MAVEN_CALLS", this.home.resolve("calls").toString());
    environment.put("TRAINING_RUNS", this.home.resolve("training-runs").toString());
  }

  Path script() {
    return root.resolve("testudo");
  }

  Path jdk() {
    return home.resolve("jdk");
  }

  void installJava(String version) throws IOException {
    writeProgram(jdk().resolve("bin/java"), FAKE_JAVA);
    write(jdk().resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
  }

  /** Leaves only the tools that the script cannot do without. */
  void removeFlock() throws IOException {
    environment.put("PATH", home.resolve("maven") + ":" + tools());
  }

  void removeMaven() throws IOException {
    environment.put("PATH", tools().toString());
  }

  private Path tools() throws IOException {
    Path directory = Files.createDirectories(home.resolve("tools"));
    for (String tool : TOOLS_WITHOUT_FLOCK) {
      Path found =
          Stream.of(System.getenv("PATH").split(":", -1))
              .map(path -> Path.of(path, tool))
              .filter(Files::isExecutable)
              .findFirst()
              .orElseThrow(() -> new IOException("no " + tool + " on the PATH"));
      writeProgram(directory.resolve(tool), "#!/bin/sh\nexec '" + found + "' \"$@\"\n");
    }
    return directory;
  }

  /** As if built an hour ago from older sources. */
  void build() throws IOException {
    write(jar, "jar");
    age(jar, Duration.ofHours(1));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> !path.startsWith(root.resolve("bench"))).toList()) {
        age(file, Duration.ofHours(2));
      }
    }
  }

  void age(Path file, Duration age) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
  }

  List<String> mavenCalls() throws IOException {
    Path calls = home.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  List<String> trainingRuns() throws IOException {
    Path calls = home.resolve("training-runs");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  Process start(Path program, Path directory, String... args) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(program.toString());
    builder.command().addAll(List.of(args));
    builder.directory(directory.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** Ends what a failed test left waiting. */
  @Override
  public void close() {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void writeProgram(Path file, String text) throws IOException {
    write(file, text);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made executable");
    }
  }
}
