package io.testudo.mutants;

import com.google.common.io.Resources;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.platform.launcher.Launcher;

/** What came of the tests of a module on given classes. */
record TestRun(End end, String detail) {
  /** How the tests ended. */
  enum End {
    /** All passed, and there were some. */
    PASSED,
    /** One failed; the detail is its name. */
    FAILED,
    /** A test class does not exist or has no tests. */
    MISSING,
    /** One failed, because classes do not fit each other. */
    UNLINKED,
    /** The guard ended the process. */
    HUNG,
    /** The process ended without a report. */
    DIED
  }

  /**
   * Runs tests in a process of their own.
   *
   * @param classes come in turn before the module's own, which remain for their resources
   * @param work a directory for the launcher's class, the report and the log
   * @param guard how long the process may live
   */
  static TestRun of(
      ModuleUnderTest module, List<Path> classes, List<String> tests, Path work, Duration guard)
      throws IOException, InterruptedException {
    Path report = work.resolve("report");
    Path log = work.resolve("tests.log");
    List<Path> classPath = new ArrayList<>();
    classPath.addAll(classes);
    classPath.add(module.testClasses());
    classPath.add(module.classes());
    classPath.addAll(module.dependencies());
    classPath.add(launcherJar());
    classPath.add(copyOfTestProcess(work.resolve("launcher")));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // As Surefire runs them: with assertions, and with agents for Mockito.
    command.addAll(List.of("-ea", "-XX:+EnableDynamicAgentLoading"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(
        List.of("-Dbasedir=" + module.directory(), "-cp", ModuleUnderTest.joined(classPath)));
    command.addAll(
        List.of(TestProcess.class.getName(), report.toString(), module.testClasses().toString()));
    command.addAll(tests);
    Process process =
        new ProcessBuilder(command)
            .directory(module.directory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!process.waitFor(guard.toMillis(), TimeUnit.MILLISECONDS)) {
        return new TestRun(End.HUNG, "the guard, after " + guard.toSeconds() + " s");
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    return Files.exists(report)
        ? parse(Files.readString(report))
        : new TestRun(End.DIED, "the process of the tests ended by itself, see " + log);
  }

  private static TestRun parse(String report) {
    int space = report.indexOf(' ');
    String detail = report.substring(space + 1);
    return switch (report.substring(0, space)) {
      case TestProcess.PASSED -> new TestRun(End.PASSED, "all of " + detail + " tests passed");
      case TestProcess.FAILED -> new TestRun(End.FAILED, detail);
      case TestProcess.UNLINKED ->
          new TestRun(End.UNLINKED, "classes do not fit each other: " + detail);
      case TestProcess.MISSING -> new TestRun(End.MISSING, "there is no test in " + detail);
      default -> throw new IllegalStateException("no report of tests: " + report);
    };
  }

  private static Path launcherJar() throws IOException {
    try {
      return Path.of(Launcher.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("the JUnit launcher does not lie in a file", e);
    }
  }

  /** Alone in a directory, so that nothing else of bench is seen by the tests of other modules. */
  private static Path copyOfTestProcess(Path directory) throws IOException {
    String name = TestProcess.class.getName().replace('.', '/') + ".class";
    Path copy = directory.resolve(name);
    Files.createDirectories(copy.getParent());
    Files.write(copy, Resources.toByteArray(Resources.getResource(name)));
    return directory;
  }
}
