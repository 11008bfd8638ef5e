package io.testudo.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The application in {@code examples/}, compiled and run on what {@code testudo-client} brings,
 * with a file of {@code testudo init}, against four daemons.
 */
class ApplicationTest {
  private static final Path SOURCES = Path.of("../examples/src/main/java");
  private static final String MAIN = "orders.CountOrders";

  @TempDir private static Path shared;
  @TempDir private Path temporary;

  private static Testudo testudo;
  private static ServerProcesses servers;

  @BeforeAll
  static void start() throws Exception {
    testudo = new Testudo(shared);
    servers = ServerProcesses.start(testudo, shared.resolve("cluster"), 4, "--byzantine", "1");
  }

  @AfterAll
  static void stop() {
    testudo.close();
  }

  @Test
  void countsUnderItsLock() throws Exception {
    List<String> path = withClasses(ApplicationPath.usual());
    long first = count(path, servers);
    assertThat(count(path, servers)).isGreaterThan(first);
  }

  @Test
  void countsOverTls() throws Exception {
    ServerProcesses overTls =
        ServerProcesses.start(
            testudo, temporary.resolve("tls"), 4, "--byzantine", "1", "--security", "tls");
    assertThat(count(withClasses(ApplicationPath.usual()), overTls)).isEqualTo(1);
    assertThat(count(withClasses(ApplicationPath.withOlderNettyInItsPlace()), overTls))
        .isEqualTo(2);
  }

  @Test
  void runsWithAnOlderNettyInThePlaceOfOurs() throws Exception {
    assertThat(count(withClasses(ApplicationPath.withOlderNettyInItsPlace()), servers))
        .isPositive();
  }

  @Test
  void runsWithAnOlderNettyInFrontOfOurs() throws Exception {
    assertThat(count(withClasses(ApplicationPath.withOlderNettyInFront()), servers)).isPositive();
  }

  @Test
  void runsBesideAnOlderProtobuf() throws Exception {
    assertThat(count(withClasses(ApplicationPath.withOlderProtobufInFront()), servers))
        .isPositive();
  }

  @Test
  void runsOnTheModulePath() throws Exception {
    List<String> modules = ApplicationPath.usual();
    Path classes = temporary.resolve("module");
    compile(
        List.of("--module-path", joined(modules)),
        classes,
        "module-info.java",
        "orders/CountOrders.java");
    List<String> path = new ArrayList<>(modules);
    path.add(classes.toString());
    assertThat(run(servers, "--module-path", joined(path), "--module", "orders/" + MAIN))
        .isPositive();
  }

  private List<String> withClasses(List<String> libraries) {
    Path classes = temporary.resolve("classes");
    compile(List.of("-cp", joined(libraries)), classes, "orders/CountOrders.java");
    List<String> path = new ArrayList<>(libraries);
    path.add(classes.toString());
    return path;
  }

  private static void compile(List<String> path, Path into, String... sources) {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", into.toString()));
    arguments.addAll(path);
    for (String source : sources) {
      arguments.add(SOURCES.resolve(source).toString());
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, arguments.toArray(String[]::new));
    assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
  }

  private static String joined(List<String> path) {
    return String.join(File.pathSeparator, path);
  }

  private static long count(List<String> path, ServerProcesses cluster) throws Exception {
    return run(cluster, "-cp", joined(path), MAIN);
  }

  /** Runs it to its end, and gives the number of the order. */
  private static long run(ServerProcesses cluster, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
    command.addAll(List.of(options));
    command.add(cluster.clientConfig("client").toString());
    Testudo.Run run = testudo.startProgram(command, Map.of());
    assertThat(run.awaitEnd()).as(run.err()).isZero();
    assertThat(run.out()).matches("order \\d+ under token \\d+\\R");
    return Long.parseLong(run.out().split(" ", 3)[1]);
  }
}
