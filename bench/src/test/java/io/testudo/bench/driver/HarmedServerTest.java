package io.testudo.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import io.testudo.quorum.junit.LeavesNoProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that are stopped, slowed down and killed; /proc tells their state. */
@EnabledOnOs(LINUX)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HarmedServerTest {
  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  @TempDir private Path directory;

  private static final PeerSystem SYSTEM = new FakeSystem(FakeSystem.Fault.NONE);

  private PeerServer start(PeerServers servers) throws IOException {
    servers.startNative("server", "sleep", "1000");
    PeerServer server = servers.all().get(0);
    while (!server.serving().info().command().orElse("").endsWith("sleep")) {
      Thread.onSpinWait(); // The shell has not started it yet.
    }
    return server;
  }

  /** T is stopped. */
  private static String state(ProcessHandle process) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  }

  /** Gone, or waiting for its parent to take note of it. */
  private static boolean isDead(ProcessHandle process) {
    try {
      return state(process).equals("Z");
    } catch (IOException e) {
      return true;
    }
  }

  private static void awaitState(ProcessHandle process, boolean isStopped) throws IOException {
    while (state(process).equals("T") != isStopped) {
      Thread.onSpinWait();
    }
  }

  @Test
  void stopsAServerAndLetsItGo() throws Exception {
    try (PeerServers servers = new PeerServers(directory)) {
      PeerServer server = start(servers);
      try (HarmedServer harmed = HarmedServer.harm(server, ServerHarm.STOP, SYSTEM)) {
        awaitState(server.serving(), true);
        harmed.mend();
        awaitState(server.serving(), false);
      }
      assertThat(server.serving().isAlive()).isTrue();
    }
  }

  @Test
  void letsAServerThatLagsWorkNowAndThen() throws Exception {
    try (PeerServers servers = new PeerServers(directory)) {
      PeerServer server = start(servers);
      try (HarmedServer harmed = HarmedServer.harm(server, ServerHarm.LAG, SYSTEM)) {
        for (int i = 0; i < 3; i++) {
          awaitState(server.serving(), true);
          awaitState(server.serving(), false);
        }
        harmed.mend();
      }
      awaitState(server.serving(), false);
      assertThat(server.serving().isAlive()).isTrue();
    }
  }

  @Test
  void killsAServerAndStartsItAgain() throws Exception {
    try (PeerServers servers = new PeerServers(directory)) {
      PeerServer server = start(servers);
      ProcessHandle first = server.serving();
      try (HarmedServer harmed = HarmedServer.harm(server, ServerHarm.KILL, SYSTEM)) {
        assertThat(first.isAlive()).isFalse();
        harmed.mend();
      }
      server.requireAlive();
      assertThat(server.serving().pid()).isNotEqualTo(first.pid());
    }
  }

  /** As when the driver dies: the pipe to whoever holds the server ends. */
  @Test
  void leavesNoServerStoppedThatNobodyMends() throws Exception {
    try (PeerServers servers = new PeerServers(directory)) {
      PeerServer server = start(servers);
      ProcessHandle stopped = server.serving();
      HarmedServer.harm(server, ServerHarm.STOP, SYSTEM).close();
      while (!isDead(stopped)) {
        Thread.onSpinWait();
      }
    }
  }
}
