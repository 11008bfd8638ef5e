package io.testudo.node.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.ordering.ObjectLimits;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects from the shell. Each test has objects of its own. */
class ObjectCommandsTest {
  @TempDir static Path temporary;
  private static Path directory;
  private static LocalCluster cluster;
  private static String config;

  @BeforeAll
  static void start() {
    directory = temporary.resolve("cluster");
    ClusterDirectory made = TestClusters.make(directory, TestClusters.PLAIN, "client");
    cluster = LocalCluster.start(made, 4, /* inMemory= */ true, (machine, cause) -> {});
    config = made.clientConfig("client").toString();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static OneCommand object(String... words) {
    return as(config, words);
  }

  private static OneCommand as(String clientConfig, String... words) {
    List<String> all = new ArrayList<>(List.of("object"));
    all.addAll(List.of(words));
    all.addAll(2, List.of("--config", clientConfig));
    return OneCommand.run(all.toArray(new String[0]));
  }

  private static void assertSays(OneCommand command, String out) {
    assertThat(command.err()).isEmpty();
    assertThat(command.out()).isEqualTo(out);
    assertThat(command.code()).isZero();
  }

  private static void assertFails(OneCommand command, int code, String... words) {
    assertThat(command.err()).contains(words).hasLineCount(1);
    assertThat(command.code()).isEqualTo(code);
    assertThat(command.out()).isEmpty();
  }

  @Test
  void counts() {
    assertSays(object("incr", "visits"), "1\n");
    assertSays(object("incr", "visits", "41"), "42\n");
    assertSays(object("incr", "visits", "--", "-2"), "40\n");
    assertSays(object("get", "visits", "--type", "counter"), "40\n");
    assertSays(object("cas", "visits", "40", "7", "--type", "counter"), "set\n");
    assertSays(object("put", "visits", "8", "--type", "counter"), "done\n");
    assertSays(
        object("get", "visits", "--type", "counter", "--json"),
        "{\"object\":\"visits\",\"type\":\"counter\",\"version\":5,\"value\":8}\n");
    assertFails(object("incr", "visits", "many"), ExitCode.USAGE, "'many' is no whole number");
    assertFails(object("incr", "visits", "" + Long.MAX_VALUE), ExitCode.FAILED, "overflow", "safe");
  }

  @Test
  void keepsAValue() throws IOException {
    assertFails(object("get", "motd"), ExitCode.FAILED, "'motd' holds no value.");
    assertSays(object("cas", "motd", "--absent", "grün"), "set\n");
    assertSays(object("get", "motd"), "grün\n");
    assertSays(object("get", "motd", "--hex"), "6772c3bc6e\n");
    assertThat(object("cas", "motd", "red", "blue").code()).isEqualTo(ExitCode.FAILED);
    assertSays(object("cas", "motd", "grün", "blue"), "set\n");
    assertSays(object("put", "motd", "--hex", "00ff"), "done\n");
    assertSays(object("get", "motd", "--hex", "--stale"), "00ff\n");
    Path file = Files.write(temporary.resolve("value"), new byte[] {9, 8, 7});
    assertSays(object("put", "motd", "--file", file.toString()), "done\n");
    assertSays(object("get", "motd", "--hex"), "090807\n");
    assertSays(object("rm", "motd"), "done\n");
    assertFails(object("get", "motd"), ExitCode.FAILED, "'motd' holds no value.");
  }

  @Test
  void keepsAMap() {
    assertSays(object("put", "web", "port", "80"), "done\n");
    assertSays(object("put", "web", "host", "a"), "done\n");
    assertSays(object("get", "web", "port"), "80\n");
    assertSays(object("get", "web", "--type", "map"), "host\ta\nport\t80\n");
    assertSays(object("cas", "web", "port", "80", "81"), "set\n");
    assertSays(object("rm", "web", "host"), "done\n");
    assertFails(object("rm", "web", "host"), ExitCode.FAILED, "'web' has no key 'host'.");
    assertFails(object("get", "web", "host"), ExitCode.FAILED, "has no key 'host'");
    assertThat(object("get", "web", "--type", "map", "--json").out())
        .contains("\"key\":\"port\",\"value\":\"81\"");
  }

  @Test
  void keepsAValueForATime() {
    assertSays(object("put", "session", "alice", "1", "--ttl", "1h"), "done\n");
    assertSays(object("put", "session", "bob", "1", "--ttl", "1ms"), "done\n");
    // Whenever this is read, bob's millisecond is over.
    while (object("get", "session", "bob").code() == ExitCode.OK) {
      Thread.onSpinWait();
    }
    assertSays(object("get", "session", "--type", "map"), "alice\t1\n");
    assertThat(object("export", "session").out())
        .contains("\"key\":\"alice\"")
        .contains("expiresAtMillis")
        .doesNotContain("bob");
    assertFails(object("put", "session", "1", "--ttl", "1h"), ExitCode.USAGE, "leave --ttl out");
  }

  @Test
  void keepsAQueueAndALog() {
    assertSays(object("push", "jobs", "one"), "0\n");
    assertSays(object("push", "jobs", "two"), "1\n");
    assertSays(object("pop", "jobs"), "one\n");
    assertSays(object("get", "jobs", "--type", "queue"), "1\ttwo\n");
    assertSays(object("pop", "jobs"), "two\n");
    assertFails(object("pop", "jobs"), ExitCode.FAILED, "'jobs' holds no value.");
    assertSays(object("append", "audit", "a"), "0\n");
    assertSays(object("append", "audit", "b"), "1\n");
    assertSays(object("get", "audit", "--type", "log", "--from", "1"), "1\tb\n");
  }

  @Test
  void watchesNewVersions() {
    assertSays(object("append", "news", "first"), "0\n");
    CompletableFuture<OneCommand> watch =
        CompletableFuture.supplyAsync(
            () -> object("watch", "news", "--type", "log", "--count", "2"));
    // However late it begins, it has two versions to tell.
    int more = 0;
    while (!watch.isDone()) {
      assertThat(object("append", "news", "next").code()).isZero();
      more++;
    }
    assertThat(more).isPositive();
    OneCommand watched = watch.join();
    assertThat(watched.code()).as(watched.err()).isZero();
    assertThat(watched.lines().get(0)).endsWith("\t0\tfirst");
    assertThat(watched.out()).contains("\t1\tnext\n");
  }

  @Test
  void listsWhatEnoughServersKnow() {
    assertSays(object("ls", "shelf/"), "There is no object.\n");
    assertSays(object("incr", "shelf/b"), "1\n");
    assertSays(object("incr", "shelf/a"), "1\n");
    assertThat(object("ls", "shelf/").out())
        .matches(
            "shelf/a\tversion 1\tcounter\t\\d+ bytes\nshelf/b\tversion 1\tcounter\t\\d+ bytes\n");
    assertThat(object("ls", "shelf/a", "--json").out())
        .startsWith("{\"object\":\"shelf/a\",\"version\":1,\"servers\":");
  }

  @Test
  void saysInOneLineWhatIsWrongWithAValue() throws IOException {
    assertSays(object("incr", "typed"), "1\n");
    assertFails(
        object("get", "typed"), ExitCode.FAILED, "'typed' is a counter; add: --type counter");
    assertFails(object("push", "typed", "x"), ExitCode.FAILED, "is a counter; this command is for");
    OneCommand unknown = object("get", "typed", "--type", "tree");
    assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("'tree' is no type of object; choose counter, ");
    Path large = Files.write(temporary.resolve("large"), new byte[ObjectLimits.MAX_ARGUMENT_BYTES]);
    assertFails(
        object("put", "big", "--file", large.toString()),
        ExitCode.FAILED,
        "The value is too large",
        "it did not happen");
    assertFails(object("put", "big", "--hex", "abc"), ExitCode.USAGE, "'abc' is not an even");
    assertFails(object("put", "big"), ExitCode.USAGE, "The value is missing");
    assertFails(object("append", "big"), ExitCode.USAGE, "The value is missing");
    assertFails(object("put", "big", "--file", "/nonexistent"), ExitCode.FAILED, "no such file");
    assertFails(object("put", "big", "x", "--type", "log"), ExitCode.USAGE, "object append");
    assertFails(object("get", "x".repeat(501)), ExitCode.FAILED, "1 to 500 bytes");
  }

  @Test
  void saysWhichRightIsMissing() {
    OneCommand added =
        OneCommand.run(
            "client",
            "add",
            "carol",
            "--dir",
            directory.toString(),
            "--rights",
            "read",
            "--prefix",
            "shop/");
    assertThat(added.code()).isZero();
    String carol = directory.resolve("clients/carol/client.conf").toString();
    assertFails(as(carol, "incr", "shop/x"), ExitCode.FAILED, "carol has no right to submit");
    assertFails(as(carol, "get", "other"), ExitCode.FAILED, "carol has no right to read 'other'");
    assertFails(as(carol, "ls", "other/"), ExitCode.FAILED, "carol has no right to read 'other/'");
  }

  @Test
  void keepsTheDeadlineWithoutAQuorum() {
    cluster.stop(new ServerId(2));
    cluster.stop(new ServerId(3));
    try {
      assertFails(
          object("get", "lost", "--timeout", "300ms"),
          ExitCode.FAILED,
          "servers answered, 3 are needed (s");
      assertFails(
          object("incr", "lost", "--timeout", "300ms"),
          ExitCode.FAILED,
          "it did not happen",
          "s2 cannot be reached: Connection refused");
      assertFails(
          object("ls", "--timeout", "300ms"), ExitCode.FAILED, "2 of 4 servers told", "doctor");
    } finally {
      cluster.start(new ServerId(3));
      cluster.start(new ServerId(2));
    }
  }
}
