package io.testudo.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class LauncherTest {
  private record Run(int code, List<String> out, List<String> err) {}

  @TempDir Path home;
  @AutoClose private FakeCheckout checkout;

  @BeforeEach
  void setUp() throws IOException {
    checkout = new FakeCheckout(home);
  }

  private Run run(String... args) throws IOException, InterruptedException {
    return finish(checkout.start(checkout.script(), checkout.root, args));
  }

  private static Run finish(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    List<String> out = process.inputReader().lines().toList();
    List<String> err = process.errorReader().lines().toList();
    return new Run(process.waitFor(), out, err);
  }

  /** What Java is called with; commands that end soon get the quick compiler. */
  private List<String> commandLine(String... args) {
    List<String> line = new ArrayList<>(List.of("-Xlog:disable", "-Xlog:all=error:stderr"));
    if (args.length == 0 || !args[0].equals("simulate")) {
      line.addAll(
          List.of(
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "-XX:-UsePerfData",
              "-Dio.netty.jfr.enabled=false"));
    }
    line.addAll(List.of("-cp", checkout.jar.getParent() + "/*", "io.testudo.node.Main"));
    line.addAll(List.of(args));
    return line;
  }

  @Test
  void firstUseBuildsAndSaysSoInOneLineApartFromTheOutput() throws Exception {
    Run run = run("simulate", "--json", "two words");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo(commandLine("simulate", "--json", "two words"));
    assertThat(run.err())
        .singleElement()
        .asString()
        .startsWith("testudo: building, because it was not built yet; see " + checkout.root);
    assertThat(checkout.mavenCalls())
        .singleElement()
        .asString()
        .startsWith(checkout.root + " -B ")
        .endsWith(" package");
  }

  @Test
  void secondUseDoesNotBuild() throws Exception {
    run();
    Run second = run("--version");
    assertThat(second.out()).isEqualTo(commandLine("--version"));
    assertThat(second.err()).isEmpty();
    assertThat(checkout.mavenCalls()).hasSize(1);
  }

  @Test
  void trainsOnceForAnArchiveOfClassesAndUsesIt() throws Exception {
    checkout.build();
    checkout.environment.put("JAVA_ARCHIVES", "yes");
    Path archive = checkout.jar.resolveSibling("../classes-17.jsa").normalize();
    List<String> first = run("status").out();
    assertThat(archive).exists();
    assertThat(first).contains("-XX:SharedArchiveFile=" + archive);
    assertThat(run("status").out()).isEqualTo(first);
    assertThat(checkout.trainingRuns()).hasSize(1);
  }

  @Test
  void goesWithoutAnArchiveThatCannotBeMade() throws Exception {
    checkout.build();
    assertThat(run("status").out()).isEqualTo(commandLine("status"));
    assertThat(run("status").out()).isEqualTo(commandLine("status"));
    assertThat(checkout.trainingRuns()).hasSize(1);
  }

  @Test
  void buildsTheDriversOfOtherSystemsWhenTheyAreMeasured() throws Exception {
    checkout.build();
    assertThat(run("bench", "ping").out()).doesNotContain("-Ppeers");
    assertThat(checkout.mavenCalls()).isEmpty();

    Run first = run("bench", "peers", "--list");
    assertThat(first.err())
        .singleElement()
        .asString()
        .contains("building, because the drivers of other systems were not built yet");
    assertThat(checkout.mavenCalls()).singleElement().asString().endsWith("-Ppeers package");
    assertThat(first.out()).contains("-Dtestudo.peers=" + checkout.root + "/peers/target/dist");
    assertThat(run("bench", "peers").err()).isEmpty();

    checkout.age(checkout.driver, Duration.ofMinutes(-1));
    assertThat(run("bench", "peers").err())
        .singleElement()
        .asString()
        .contains("peers/fake/src/main/java/Driver.java is newer");
    assertThat(checkout.mavenCalls()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-h", "--help"})
  void buildsNoDriversForHelp(String help) throws Exception {
    checkout.build();
    assertThat(run("bench", "faults", help).err()).isEmpty();
    assertThat(run("bench", "peers", "--quick", help).err()).isEmpty();
    assertThat(checkout.mavenCalls()).isEmpty();
  }

  @Test
  void usesWhatMavenBuiltWithoutIt() throws Exception {
    checkout.build();
    assertThat(run().err()).isEmpty();
    assertThat(checkout.mavenCalls()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"crypto/src/main/java/Key.java", "crypto/pom.xml", "pom.xml"})
  void buildsAgainIfASourceOrPomIsNewer(String changed) throws Exception {
    checkout.build();
    checkout.age(checkout.root.resolve(changed), Duration.ofMinutes(30));
    assertThat(run().err())
        .singleElement()
        .asString()
        .startsWith("testudo: building, because " + changed + " is newer than the build");
    assertThat(run().err()).isEmpty();
  }

  @Test
  void buildsAgainIfASourceIsGone() throws Exception {
    checkout.build();
    Files.delete(checkout.source);
    assertThat(run().err()).singleElement().asString().contains("crypto/src/main/java is newer");
  }

  @Test
  void doesNotBuildAgainForFilesOfEditors() throws Exception {
    Files.createFile(checkout.source.resolveSibling(".Key.java.swp"));
    checkout.build();
    checkout.age(checkout.source.resolveSibling(".Key.java.swp"), Duration.ofMinutes(30));
    assertThat(run().err()).isEmpty();
  }

  @Test
  void showsTheEndOfAFailedBuildAndRunsNothing() throws Exception {
    checkout.environment.put("MAVEN_FAILS", "yes");
    Run run = run();
    assertThat(run.code()).isEqualTo(69);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("symbol not found")
        .last()
        .asString()
        .startsWith("testudo: the build failed: mend");
    assertThat(run().err().get(0)).contains("building, because it was not built yet");
  }

  @Test
  void runsFromAnyDirectoryAndThroughLinks() throws Exception {
    checkout.build();
    Path elsewhere = Files.createDirectories(home.resolve("elsewhere/bin"));
    Files.createSymbolicLink(home.resolve("elsewhere/first"), checkout.script());
    Path second = Files.createSymbolicLink(elsewhere.resolve("testudo"), Path.of("..", "first"));
    Run run = finish(checkout.start(second, elsewhere, "ping"));
    assertThat(run.out()).isEqualTo(commandLine("ping"));
    assertThat(run.err()).isEmpty();
  }

  @Test
  void passesOnTheExitCode() throws Exception {
    checkout.build();
    checkout.environment.put("JAVA_CODE", "2");
    assertThat(run().code()).isEqualTo(2);
  }

  @Test
  void passesOptionsToTheVirtualMachine() throws Exception {
    checkout.build();
    checkout.environment.put("TESTUDO_JAVA_OPTS", "-Xmx1g  -Dglob=*");
    // Behind our own: the last of two that contradict each other counts.
    assertThat(run().out())
        .containsSequence("-Dio.netty.jfr.enabled=false", "-Xmx1g", "-Dglob=*", "-cp");
  }

  @Test
  void allowsNativeCodeWhereJavaWouldWarn() throws Exception {
    checkout.build();
    checkout.installJava("21.0.2");
    assertThat(run().out()).isEqualTo(commandLine());
    checkout.installJava("25");
    assertThat(run().out()).containsSequence("--enable-native-access=ALL-UNNAMED", "-cp");
  }

  @ParameterizedTest
  @ValueSource(strings = {"11.0.2", "1.8.0_402"})
  void refusesAnOldJava(String version) throws Exception {
    checkout.installJava(version);
    Run run = run();
    assertThat(run.code()).isEqualTo(69);
    assertThat(run.err()).singleElement().asString().contains("but 17 or later is needed");
    assertThat(checkout.mavenCalls()).isEmpty();
  }

  @Test
  void saysIfThereIsNoJava() throws Exception {
    checkout.environment.put("JAVA_HOME", checkout.root.toString());
    assertThat(run().err()).singleElement().asString().contains("which has no bin/java");
    checkout.environment.remove("JAVA_HOME");
    checkout.removeMaven();
    Run run = run();
    assertThat(run.code()).isEqualTo(69);
    assertThat(run.err()).singleElement().asString().contains("no java on the PATH: install");
  }

  @Test
  void takesJavaFromThePath() throws Exception {
    checkout.build();
    checkout.environment.remove("JAVA_HOME");
    checkout.environment.merge("PATH", checkout.jdk() + "/bin:", (old, bin) -> bin + old);
    assertThat(run("x").out()).isEqualTo(commandLine("x"));
  }

  @Test
  void runsAnOldBuildIfItIsToldNotToBuild() throws Exception {
    checkout.environment.put("TESTUDO_BUILD", "never");
    assertThat(run().err()).singleElement().asString().contains("unset TESTUDO_BUILD");
    checkout.build();
    checkout.age(checkout.source, Duration.ofMinutes(30));
    assertThat(run("x").out()).isEqualTo(commandLine("x"));
    assertThat(checkout.mavenCalls()).isEmpty();
  }

  @Test
  void runsAnOldBuildIfThereIsNoMaven() throws Exception {
    checkout.removeMaven();
    assertThat(run().err()).singleElement().asString().contains("install Maven 3.8.7 or later");
    checkout.build();
    checkout.age(checkout.source, Duration.ofMinutes(30));
    Run run = run("x");
    assertThat(run.out()).isEqualTo(commandLine("x"));
    assertThat(run.err()).singleElement().asString().contains("runs what there is");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void letsOneOfTwoFirstUsesBuild(boolean flock) throws Exception {
    if (!flock) {
      checkout.removeFlock();
    }
    Path gate = home.resolve("gate");
    assertThat(new ProcessBuilder("mkfifo", gate.toString()).start().waitFor()).isZero();
    checkout.environment.put("MAVEN_GATE", gate.toString());

    Process first = checkout.start(checkout.script(), checkout.root, "first");
    BufferedReader firstErr = first.errorReader();
    assertThat(firstErr.readLine()).contains("building");
    Process second = checkout.start(checkout.script(), checkout.root, "second");
    BufferedReader secondErr = second.errorReader();
    assertThat(secondErr.readLine()).contains("waits for another build to end");
    Files.writeString(gate, "go\n");

    assertThat(finish(first).out()).isEqualTo(commandLine("first"));
    assertThat(finish(second).out()).isEqualTo(commandLine("second"));
    assertThat(checkout.mavenCalls()).hasSize(1);
    assertThat(checkout.root.resolve("target/launcher.lock.d")).doesNotExist();
  }

  @Test
  void takesOverTheLockOfAProcessThatDied() throws Exception {
    checkout.removeFlock();
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Path lock = Files.createDirectories(checkout.root.resolve("target/launcher.lock.d"));
    Files.writeString(lock.resolve("pid"), dead.pid() + "\n");
    assertThat(run("x").out()).isEqualTo(commandLine("x"));
    assertThat(lock).doesNotExist();
  }
}
