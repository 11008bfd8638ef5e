package billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.local.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On four servers, each a process of its own, over TLS, with a file of 'testudo init'. */
class DaemonsTest {
  /** A hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 120;

  @TempDir private Path temporary;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() {
    for (Process process : started) {
      process.destroyForcibly().onExit().join();
    }
  }

  private Process testudo(Path output, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add("io.testudo.node.Main");
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    started.add(process);
    return process;
  }

  private Path cluster() throws Exception {
    Path cluster = temporary.resolve("cluster");
    String addresses =
        FreePorts.find(4).stream()
            .map(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    Path output = temporary.resolve("init");
    Process init =
        testudo(
            output,
            "init",
            cluster.toString(),
            "--servers",
            addresses,
            "--byzantine",
            "1",
            "--security",
            "tls");
    assertThat(init.waitFor(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(init.exitValue()).as(Files.readString(output)).isZero();
    for (int server = 0; server < 4; server++) {
      Path said = temporary.resolve("s" + server);
      Path conf = cluster.resolve("s" + server).resolve("server.conf");
      Process process = testudo(said, "server", "--config", conf.toString());
      Instances.await(
          "a server",
          () -> {
            assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
            return Files.readString(said).contains("listens");
          });
    }
    return cluster;
  }

  @Test
  void worksOverTls() throws Exception {
    Path conf = cluster().resolve("clients/client/client.conf");
    try (Instances instances = new Instances()) {
      instances.start("testudo.client-conf=" + conf);
      // A setting that the file has, too: a key that came out wrong would be refused.
      instances.start("testudo.client-conf=" + conf, "testudo.settings[lock.max-hold]=30s");
      instances.check();
    }
  }
}
