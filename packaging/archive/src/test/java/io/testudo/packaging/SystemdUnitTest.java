package io.testudo.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.config.ServerConfig;
import io.testudo.node.local.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts, reloads and stops a server as the unit says. */
class SystemdUnitTest {
  private static final String UNIT = "systemd/testudo@.service";

  @TempDir private Path temporary;
  @AutoClose private Unpacked unpacked;

  @BeforeEach
  void unpack() throws Exception {
    unpacked = new Unpacked(temporary);
  }

  private static String setting(String name) throws Exception {
    return setting(UNIT, name);
  }

  private static String setting(String unit, String name) throws Exception {
    Matcher found =
        Pattern.compile("^" + name + "=(.*)$", Pattern.MULTILINE).matcher(Unpacked.text(unit));
    assertThat(found.find()).as(name).isTrue();
    return found.group(1);
  }

  @Test
  void runsAServerAsItSays() throws Exception {
    Path cluster = unpacked.cluster();
    Path server = cluster.resolve("s0");
    String command =
        Unpacked.placed(
                setting("ExecStart"),
                Map.of(
                    "/usr/bin/testudo",
                    Unpacked.launcher().toString(),
                    "/var/lib/testudo/",
                    cluster + "/"))
            .replace("%i", "s0");
    Unpacked.Run run =
        unpacked.start(List.of("env", "--default-signal=HUP", "sh", "-c", "exec " + command));
    run.awaitReady();
    ServerConfig config = ServerConfig.read(server.resolve("server.conf"));
    String admin = config.admin().orElseThrow().toString();
    assertThat(Unpacked.get(admin, "/livez")).isEqualTo(200);
    // What it writes lies where the unit lets it write, and nowhere else.
    assertThat(setting("ReadWritePaths")).isEqualTo("/var/lib/testudo/%i");
    assertThat(config.data()).startsWith(server.toAbsolutePath());
    assertThat(config.limits().connections()).isLessThan(Integer.parseInt(setting("LimitNOFILE")));

    String before = Files.readString(server.resolve("server.conf"));
    Files.writeString(
        server.resolve("server.conf"), before.replace("level = info", "level = debug"));
    signal(setting("ExecReload"), run);
    Unpacked.await("a reload", () -> run.said().contains("took limits and rights anew"));
    signal("/bin/kill -TERM $MAINPID", run);
    assertThat(run.awaitEnd()).as(run.said()).isZero();
  }

  @Test
  void showsTheClusterWherePrometheusLooks() throws Exception {
    Path admin = unpacked.cluster().resolve("clients/admin");
    assertThat(Unpacked.text("monitoring/prometheus.yml")).contains("localhost:7080");
    String address = "127.0.0.1:" + FreePorts.find(1).get(0);
    String command =
        Unpacked.placed(
            setting("systemd/testudo-watch.service", "ExecStart"),
            Map.of(
                "/usr/bin/testudo",
                Unpacked.launcher().toString(),
                "/var/lib/testudo/watch",
                admin.toString(),
                "127.0.0.1:7080",
                address));
    Unpacked.Run run = unpacked.start(List.of("sh", "-c", "exec " + command));
    Unpacked.await("a page", () -> run.said().contains("is shown at http://" + address));
    assertThat(Unpacked.get(address, "/")).isEqualTo(200);
    signal("/bin/kill -TERM $MAINPID", run);
    assertThat(run.awaitEnd()).as(run.said()).isZero();
  }

  private void signal(String command, Unpacked.Run run) throws Exception {
    Unpacked.Run kill =
        unpacked.start(
            List.of("sh", "-c", command.replace("$MAINPID", Long.toString(run.process().pid()))));
    assertThat(kill.awaitEnd()).as(kill.said()).isZero();
  }

  /** A server whose files cannot be used ends with a code after which it is not started again. */
  @Test
  void doesNotStartAgainWhatCannotStart() throws Exception {
    Unpacked.Run run =
        unpacked.start(
            List.of(
                Unpacked.launcher().toString(),
                "server",
                "--config",
                temporary.resolve("missing.conf").toString()));
    assertThat(setting("RestartPreventExitStatus").split(" ", -1))
        .contains(Integer.toString(run.awaitEnd()));
  }
}
