package io.testudo.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.local.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the archive unpacks to, and programs that run from it and end with the test. */
final class Unpacked implements AutoCloseable {
  /** A hang guard, not an expectation. */
  static final long GUARD_SECONDS = 180;

  static final Path STAGE = Path.of(System.getProperty("testudo.stage"));

  private final Path directory;
  private final List<Run> runs = new ArrayList<>();

  Unpacked(Path directory) throws IOException {
    this.directory = directory;
    // The build copies files without their modes; the archive sets them.
    Files.setPosixFilePermissions(launcher(), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  static Path launcher() {
    return STAGE.resolve("bin/testudo");
  }

  static String text(String file) throws IOException {
    return Files.readString(STAGE.resolve(file));
  }

  /** Starts a program with the Java of this build, and without the archive of classes. */
  Run start(List<String> command) throws IOException {
    Path said = directory.resolve("said-" + runs.size());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("TESTUDO_CLASSES", "never");
    builder.environment().put("TESTUDO_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -Xmx128m");
    Run run = new Run(builder.start(), said);
    runs.add(run);
    return run;
  }

  /** A cluster of four, made by the command of the archive, at free ports. */
  Path cluster(String... options) throws Exception {
    Path cluster = directory.resolve("cluster");
    String addresses =
        FreePorts.find(4).stream()
            .map(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    Run init =
        start(
            Stream.concat(
                    Stream.of(
                        launcher().toString(),
                        "init",
                        cluster.toString(),
                        "--byzantine",
                        "1",
                        "--servers",
                        addresses),
                    Stream.of(options))
                .toList());
    assertThat(init.awaitEnd()).as(init.said()).isZero();
    return cluster;
  }

  static int get(String admin, String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + admin + path)).build();
    HttpResponse<Void> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
    return answer.statusCode();
  }

  static void await(String what, Callable<Boolean> condition) throws Exception {
    long startNanos = System.nanoTime();
    while (!condition.call()) {
      assertThat(System.nanoTime() - startNanos)
          .as("did not happen: %s", what)
          .isLessThan(TimeUnit.SECONDS.toNanos(GUARD_SECONDS));
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Replaces what stands for places of an installed system by places of the test. */
  static String placed(String text, Map<String, String> places) {
    String result = text;
    for (Map.Entry<String, String> place : places.entrySet()) {
      assertThat(text).contains(place.getKey());
      result = result.replace(place.getKey(), place.getValue());
    }
    return result;
  }

  @Override
  public void close() {
    for (Run run : runs) {
      run.process.descendants().forEach(ProcessHandle::destroyForcibly);
      run.process.destroyForcibly().onExit().join();
    }
  }

  /** One process. */
  record Run(Process process, Path output) {
    String said() throws IOException {
      return Files.readString(output);
    }

    int awaitEnd() throws InterruptedException {
      assertThat(process.waitFor(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }

    /** Waits until a server is there. */
    void awaitReady() throws Exception {
      await(
          "a server that listens",
          () -> {
            assertThat(process.isAlive()).as(said()).isTrue();
            return said().contains("listens");
          });
    }
  }
}
