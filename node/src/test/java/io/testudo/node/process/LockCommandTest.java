package io.testudo.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.ExitCode;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code testudo lock} as a process, with a cluster of {@code testudo dev} beside it. */
class LockCommandTest {
  @RegisterExtension final LeavesNoProcess leavesNoProcess = new LeavesNoProcess();

  @TempDir Path temporary;
  private Testudo testudo;
  private Testudo.Run dev;
  private String config;

  @BeforeEach
  void startACluster() throws IOException, InterruptedException {
    testudo = new Testudo(temporary);
    dev = testudo.start("dev", "--max-hold", "2s", "--json");
    dev.awaitOutput("clientConfig");
    config = dev.out().replaceAll("(?s).*\"clientConfig\":\"([^\"]*)\".*", "$1");
  }

  @AfterEach
  void end() {
    testudo.close();
  }

  private Testudo.Run lock(String name, String... rest) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("lock", name, "--config", config));
    arguments.addAll(List.of(rest));
    return testudo.start(arguments.toArray(String[]::new));
  }

  private Path file(String name) {
    return temporary.resolve(name);
  }

  /** A command that says where its process and a child of it are, and takes its time. */
  private String[] longCommand(String trap) {
    String script =
        "%s sleep 300 & echo $! > %s.part; mv %s.part %s; while :; do wait; done"
            .formatted(trap, file("child"), file("child"), file("child"));
    return new String[] {"--", "sh", "-c", script};
  }

  private ProcessHandle awaitChild() throws IOException, InterruptedException {
    Testudo.await("the command to start", () -> Files.exists(file("child")));
    long pid = Long.parseLong(Files.readString(file("child")).strip());
    return ProcessHandle.of(pid).orElseThrow();
  }

  private static String[] join(String[] first, String... second) {
    return Stream.concat(Stream.of(first), Stream.of(second)).toArray(String[]::new);
  }

  @Test
  void runsACommandUnderTheLockAndPassesItsCodeOn() throws Exception {
    Testudo.Run run =
        lock("job", "--json", "--", "sh", "-c", "echo $TESTUDO_LOCK $TESTUDO_FENCE; exit 7");
    assertThat(run.awaitEnd()).isEqualTo(7);
    assertThat(run.out()).matches("job \\d+\\n");
    assertThat(run.err().lines())
        .satisfiesExactly(
            acquired -> assertThat(acquired).startsWith("{\"event\":\"acquired\",\"lock\":\"job\""),
            released ->
                assertThat(released)
                    .startsWith("{\"event\":\"released\"")
                    .endsWith("\"exitCode\":7}"));
  }

  @Test
  void renewsWhileTheCommandRunsAndTellsOthersApartFromFailures() throws Exception {
    Testudo.Run holder = lock("job", longCommand(""));
    ProcessHandle child = awaitChild();
    Testudo.Run other = lock("job", "--wait", "4s", "--", "touch", file("never").toString());
    assertThat(other.awaitEnd()).isEqualTo(ExitCode.NOT_ACQUIRED);
    assertThat(other.err())
        .contains("The lock 'job' was not free in time")
        .satisfies(err -> assertThat(err.lines().count()).isEqualTo(1));
    assertThat(file("never")).doesNotExist();
    // Asked to end, the command ends first, and then the lock is free at once.
    holder.signal("TERM");
    assertThat(holder.awaitEnd()).isEqualTo(128 + 15);
    child.onExit().join();
    Testudo.Run next = lock("job", "--wait", "60s", "--", "true");
    assertThat(next.awaitEnd()).isZero();
  }

  @Test
  void endsTheWholeGroupWhenTheLockIsLost() throws Exception {
    String deaf = "trap 'echo told to end' TERM;";
    Testudo.Run holder = lock("job", join(new String[] {"--grace", "500ms"}, longCommand(deaf)));
    ProcessHandle child = awaitChild();
    dev.signal("KILL");
    assertThat(holder.awaitEnd()).isEqualTo(ExitCode.LOST);
    child.onExit().join();
    assertThat(holder.out()).contains("told to end");
    assertThat(holder.err()).contains("the lock 'job' was lost; ends the command");
  }

  @Test
  void keepsItsDeadlineWithoutServers() throws Exception {
    dev.signal("KILL");
    int unused = dev.awaitEnd();
    Testudo.Run run = lock("job", "--wait", "1s", "--", "true");
    assertThat(run.awaitEnd()).isEqualTo(ExitCode.NOT_RUN);
    assertThat(run.err())
        .contains("s3 cannot be reached: Connection refused")
        .satisfies(err -> assertThat(err.lines().count()).isEqualTo(1));
  }

  @Test
  void withdrawsAndEndsWhenInterruptedWhileItWaits() throws Exception {
    Testudo.Run holder = lock("job", longCommand(""));
    ProcessHandle child = awaitChild();
    Testudo.Run waiter = lock("job", "--", "true");
    Testudo.await("a waiter", () -> waiter.err().contains("still waits for 'job'"));
    waiter.signal("TERM");
    assertThat(waiter.awaitEnd()).isEqualTo(128 + 15);
    holder.signal("TERM");
    assertThat(holder.awaitEnd()).isEqualTo(128 + 15);
    child.onExit().join();
  }

  @Test
  void runsNothingThatItCannotRun() throws Exception {
    Testudo.Run run = lock("job", "--", "no-such-command");
    assertThat(run.awaitEnd()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(run.err()).contains("There is no command 'no-such-command' on the PATH");
    Path text = Files.writeString(file("text"), "no program");
    Testudo.Run unfit = lock("job", "--", text.toString());
    assertThat(unfit.awaitEnd()).isEqualTo(ExitCode.NOT_EXECUTABLE);
    assertThat(unfit.err()).contains("is no program that this user may run; nothing was run.");
    Testudo.Run tooLong = lock("job", "--hold", "5s", "--", "true");
    assertThat(tooLong.awaitEnd()).isEqualTo(ExitCode.NOT_RUN);
    assertThat(tooLong.err()).contains("beyond the 2 s that the servers grant");
  }

  /**
   * What makes a command quick, counted instead of timed: its classes come from the archive, and
   * what it does not need is not loaded.
   */
  @Test
  void loadsFewClassesAndThoseFromTheArchive() throws Exception {
    ClassArchive classes = ClassArchive.usual();
    Path log = file("classes.log");
    List<String> command = new ArrayList<>(List.of(ClassArchive.java()));
    command.addAll(classes.options());
    command.add("-Xlog:class+load:file=" + log);
    command.addAll(List.of("-cp", classes.classPath(), "io.testudo.node.Main"));
    command.addAll(List.of("lock", "job", "--config", config, "--", "true"));
    Testudo.Run run = testudo.startProgram(command, Map.of());
    assertThat(run.awaitEnd()).as(run.err()).isZero();
    List<String> loaded = Files.readAllLines(log);
    assertThat(loaded)
        .as("each costs some 0.1 ms; with Flight Recorder and Joran they were 4,500")
        .hasSizeBetween(1_000, 4_300)
        .noneMatch(line -> line.contains(" org.bouncycastle."))
        .noneMatch(line -> line.contains(" jdk.jfr.internal.handlers."))
        .noneMatch(line -> line.contains("logback.classic.joran"));
    assertThat(loaded)
        .filteredOn(line -> !line.contains("shared objects file"))
        .as("others than those that Java makes at run time")
        .filteredOn(line -> line.contains(".jar"))
        .hasSizeLessThan(40);
  }
}
