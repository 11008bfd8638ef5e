package io.testudo.node.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.testudo.node.ExitCode;
import io.testudo.node.client.ChildGroup;
import io.testudo.node.setup.DeletedTree;
import io.testudo.quorum.junit.LeavesNoProcess;
import io.testudo.quorum.runtime.FatalHandler;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code testudo server} as a process: signals, operators, and what keeps it from starting. */
class DaemonTest {
  @RegisterExtension final LeavesNoProcess leavesNoProcess = new LeavesNoProcess();

  @TempDir Path temporary;
  private Testudo testudo;
  private Path directory;

  @BeforeEach
  void prepare() throws IOException {
    testudo = new Testudo(temporary);
    directory = temporary.resolve("cluster");
  }

  @AfterEach
  void end() {
    testudo.close();
  }

  /** What the admin address answers. */
  private record Page(int statusCode, String body) {}

  private static Page get(String admin, String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http://" + admin + path).toURL().openConnection();
    int status = connection.getResponseCode();
    try (InputStream body =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      String text = body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
      return new Page(status, text);
    }
  }

  private static String admin(Testudo.Run server) {
    return server.out().replaceAll("(?s).*http://(\\S+).*", "$1");
  }

  @Test
  void servesOperatorsReloadsAndStops() throws Exception {
    ServerProcesses cluster = ServerProcesses.start(testudo, directory, 1, "--byzantine", "0");
    Testudo.Run server = cluster.server(0);
    String admin = admin(server);
    assertThat(get(admin, "/livez").body()).isEqualTo("ok\n");
    assertThat(get(admin, "/readyz").statusCode()).isEqualTo(200);
    assertThat(get(admin, "/status").body()).contains("\"server\":\"s0\"", "\"ready\":true");
    assertThat(get(admin, "/elsewhere").statusCode()).isEqualTo(404);

    Testudo.Run added =
        testudo.run("client", "add", "carol", "--dir", directory.toString(), "--rights", "lock");
    assertThat(added.awaitEnd()).isZero();
    server.signal("HUP");
    Testudo.await("a reload", () -> server.err().contains("took limits and rights anew"));
    Testudo.Run lock =
        testudo.run(
            "lock", "x", "--config", cluster.clientConfig("carol").toString(), "--", "true");
    assertThat(lock.awaitEnd()).as(lock.err()).isZero();
    assertThat(get(admin, "/metrics").body())
        .contains("testudo_ready 1\n")
        .containsPattern("testudo_unread_bytes \\d")
        .containsPattern("testudo_messages_total\\{type=\"Try\"\\} [1-9]")
        .containsPattern("testudo_objects_max_bytes [1-9]")
        .contains("# TYPE testudo_journal_wait_seconds summary\n");

    Path config = cluster.serverConfig(0);
    Files.writeString(config, Files.readString(config) + "no-such = 1\n");
    server.signal("HUP");
    Testudo.await("a refusal", () -> server.err().contains("goes on as before"));
    assertThat(get(admin, "/readyz").statusCode()).isEqualTo(200);

    server.signal("TERM");
    assertThat(server.awaitEnd()).isZero();
    assertThat(server.err().lines())
        .allSatisfy(line -> assertThat(line).startsWith("{\"time\":\"").endsWith("}"));
  }

  @Test
  void saysInOneLineWhatKeepsItFromStarting() throws Exception {
    ServerProcesses cluster = ServerProcesses.make(testudo, directory, 1, "--byzantine", "0");
    Path config = cluster.serverConfig(0);
    String listen = Files.readString(config).replaceAll("(?s).*listen = \"([^\"]*)\".*", "$1");
    int port = Integer.parseInt(listen.substring(listen.indexOf(':') + 1));
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(taken.isBound()).isTrue();
      assertFails(config, "s0 cannot listen at " + listen, "change 'listen' in");
    }
    Path journal = directory.resolve("s0/data/object/journal.log");
    Path aside = directory.resolve("aside");
    Files.move(journal, aside);
    assertFails(config, "data/object");
    Files.move(aside, journal);
    Files.delete(directory.resolve("s0/server.keys"));
    assertFails(config, "server.keys does not exist");
    assertFails(directory.resolve("nowhere.conf"), "nowhere.conf does not exist");
  }

  @Test
  void startsWithoutItsDiskOnlyIfItIsReadmitted() throws Exception {
    ServerProcesses cluster = ServerProcesses.make(testudo, directory, 1, "--byzantine", "0");
    Path config = cluster.serverConfig(0);
    DeletedTree.delete(directory.resolve("s0/data"));
    assertFails(config, "the disk is empty or lost", "start the server once with --readmit");
    Testudo.Run server = testudo.start("server", "--readmit", "--config", config.toString());
    server.awaitOutput("listens");
    assertThat(server.err()).contains("is readmitted; new journals: [ping, lock-backoff, object]");
  }

  @Test
  void saysHowToGoOnWithADamagedJournal() throws Exception {
    ServerProcesses cluster = ServerProcesses.make(testudo, directory, 1, "--byzantine", "0");
    Path config = cluster.serverConfig(0);
    Path journal = directory.resolve("s0/data/object");
    try (var files = Files.list(journal)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.write(file, new byte[] {1, 2, 3});
      }
    }
    String advice = "move " + journal + " away and start the server once with --readmit";
    assertFails(config, advice);
    Testudo.Run again = testudo.run("server", "--readmit", "--config", config.toString());
    assertThat(again.awaitEnd()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).contains(advice).doesNotContain("is readmitted");
    DeletedTree.delete(journal);
    Testudo.Run server = testudo.start("server", "--readmit", "--config", config.toString());
    server.awaitOutput("listens");
    assertThat(server.err()).contains("is readmitted; new journals: [object]");
  }

  @Test
  void saysThatItCannotBeToldToReload() throws Exception {
    assumeTrue(ChildGroup.isOnPath("nohup"), "there is no nohup here");
    ServerProcesses cluster = ServerProcesses.make(testudo, directory, 1, "--byzantine", "0");
    Testudo.Run server =
        testudo.startProgram(
            List.of(
                "nohup",
                testudo.script().toString(),
                "server",
                "--config",
                cluster.serverConfig(0).toString()),
            Map.of());
    server.awaitOutput("listens");
    assertThat(server.err()).contains("SIGHUP does not reach this server (as under nohup)");
  }

  private void assertFails(Path config, String... words) throws Exception {
    Testudo.Run server = testudo.run("server", "--config", config.toString());
    assertThat(server.awaitEnd()).isEqualTo(ExitCode.FAILED);
    assertThat(server.err()).startsWith("testudo server: ").contains(words).hasLineCount(1);
    assertThat(server.out()).isEmpty();
  }

  /** A limit on the size of files makes writes fail as a full disk does. */
  @Test
  void endsAtOnceWhenTheDiskIsFull() throws Exception {
    assumeTrue(ChildGroup.isOnPath("prlimit"), "there is no prlimit here");
    ServerProcesses cluster = ServerProcesses.make(testudo, directory, 1, "--byzantine", "0");
    // Its error stream must be no file, or the limit would hold for it as well.
    Testudo.Run shell =
        testudo.startProgram(
            List.of(
                "sh",
                "-c",
                "{ \"$0\" server --config \"$1\" & echo $! > \"$2\"; wait $!; echo code $?; } 2>&1"
                    + " | cat",
                testudo.script().toString(),
                cluster.serverConfig(0).toString(),
                temporary.resolve("pid").toString()),
            Map.of());
    shell.awaitOutput("listens");
    String pid = Files.readString(temporary.resolve("pid"), UTF_8).strip();
    assertThat(new ProcessBuilder("prlimit", "--pid", pid, "--fsize=1:1").start().waitFor())
        .isZero();
    Testudo.Run lock =
        testudo.start(
            "lock",
            "x",
            "--wait",
            "5s",
            "--config",
            cluster.clientConfig("client").toString(),
            "--",
            "true");
    shell.awaitOutput("code " + FatalHandler.DISK_FAILED);
    assertThat(shell.out()).containsOnlyOnce("\"level\":\"error\"").contains("make room");
    assertThat(lock.awaitEnd()).isEqualTo(ExitCode.NOT_RUN);
  }
}
