package io.testudo.node.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.TestudoClient;
import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.LargeMap;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that are written to a file and come back from it. Each test has a prefix of its own. */
class ObjectArchiveCommandsTest {
  private static final Operation<String, String, String> SET =
      Operation.of(1, "set", Codec.STRING, Codec.STRING)
          .changing((before, text) -> Change.to(text, before));
  private static final Operation<String, String, String> APPEND =
      Operation.of(2, "append", Codec.STRING, Codec.STRING)
          .changing(
              Codec.STRING, (before, text) -> Change.to(text, before), (text, more) -> text + more);
  private static final ObjectType<String> TEXT =
      ObjectType.of(100, "text", Codec.STRING, "").with(SET).with(APPEND);

  private static final Bytes NO_TEXT = Bytes.copyOf((byte) 0, (byte) 0xff);

  @TempDir static Path temporary;
  private static LocalCluster cluster;
  private static Path config;

  @BeforeAll
  static void start() {
    ClusterDirectory made =
        TestClusters.make(temporary.resolve("cluster"), TestClusters.PLAIN, "client");
    cluster = LocalCluster.start(made, 4, /* inMemory= */ true, (machine, cause) -> {});
    config = made.clientConfig("client");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static OneCommand object(String... words) {
    List<String> all = new ArrayList<>(List.of("object"));
    all.addAll(List.of(words));
    all.addAll(2, List.of("--config", config.toString()));
    return OneCommand.run(all.toArray(new String[0]));
  }

  /** The lines about objects: the first and the last are about the export. */
  private static List<String> exported(String prefix) {
    OneCommand export = object("export", prefix);
    assertThat(export.err()).isEmpty();
    assertThat(export.code()).isZero();
    List<String> lines = export.lines();
    assertThat(lines.get(0))
        .startsWith(
            "{\"export\":\"testudo objects\",\"format\":1,\"prefix\":\"%s\"".formatted(prefix));
    assertThat(lines.get(lines.size() - 1))
        .isEqualTo(
            "{\"complete\":true,\"objects\":%d,\"unreadable\":0}".formatted(lines.size() - 2));
    return lines.subList(1, lines.size() - 1);
  }

  private static Path file(String name, List<String> lines) throws IOException {
    List<String> all = new ArrayList<>(lines);
    all.add("{\"complete\":true,\"objects\":%d,\"unreadable\":0}".formatted(lines.size()));
    return Files.write(temporary.resolve(name), all);
  }

  private static void fill(TestudoClient client, String prefix) {
    client.counter(prefix + "counter").increment(Long.MIN_VALUE).join();
    client.register(prefix + "register").set("grün \u0007 \"quoted\" \u2028").join();
    client.register(prefix + "register/bytes").set(NO_TEXT).join();
    client.register(prefix + "register/empty").set("").join();
    client.register(prefix + "register/cleared").clear().join();
    client.map(prefix + "map").putAll(Map.of(NO_TEXT, Bytes.EMPTY, Bytes.EMPTY, NO_TEXT)).join();
    client.map(prefix + "map").put("ends", "v", Duration.ofDays(1)).join();
    // Together more than an operation can carry.
    client.map(prefix + "map/big").put("a", "x".repeat(700_000)).join();
    client.map(prefix + "map/big").put("b", "y".repeat(700_000)).join();
    client.queue(prefix + "queue").add("gone").join();
    client.queue(prefix + "queue").add(NO_TEXT).join();
    assertThat(client.queue(prefix + "queue").poll().join()).isPresent();
    client.log(prefix + "log").appendAll(List.of(Bytes.utf8("a"), NO_TEXT)).join();
    client.log(prefix + "log").truncate(1).join();
    LargeMap large = client.largeMap(prefix + "large", 4);
    for (int i = 0; i < 20; i++) {
      large.put("key" + i, "v" + i).join();
    }
    client.object(prefix + "own", TEXT).submit(SET, "of a type of one's own").join();
  }

  @Test
  void comeBackAsTheyWere() throws IOException {
    try (TestudoClient client = TestudoClient.connect(config)) {
      fill(client, "round/");
    }
    List<String> lines = exported("round/");
    assertThat(lines)
        .contains(
            "{\"object\":\"round/counter\",\"type\":\"counter\",\"version\":1,"
                + "\"value\":-9223372036854775808}",
            "{\"object\":\"round/register/bytes\",\"type\":\"register\",\"version\":1,"
                + "\"value\":{\"base64\":\"AP8=\"}}",
            "{\"object\":\"round/register/cleared\",\"type\":\"register\",\"version\":1}",
            "{\"object\":\"round/queue\",\"type\":\"queue\",\"version\":3,\"first\":1,"
                + "\"elements\":[{\"base64\":\"AP8=\"}]}")
        .anyMatch(line -> line.contains("\"type\":\"largeMap\"") && line.contains("\"shards\":4"))
        .anyMatch(line -> line.contains("\"type\":\"raw\"") && line.contains("\"typeNumber\":100"))
        .anyMatch(line -> line.contains("\"key\":\"ends\"") && line.contains("expiresAtMillis"));

    Path file = temporary.resolve("round.jsonl");
    OneCommand toFile = object("export", "round/", "--file", file.toString());
    assertThat(toFile.code()).as(toFile.err()).isZero();
    assertThat(toFile.out()).isEmpty();
    assertThat(Files.readAllLines(file).subList(1, lines.size() + 1)).isEqualTo(lines);
    assertThat(temporary.resolve("round.jsonl.part")).doesNotExist();

    OneCommand imported = object("import", file.toString(), "--add-prefix", "copy/");
    assertThat(imported.err()).isEmpty();
    assertThat(imported.out())
        .isEqualTo(lines.size() + " restored, 0 were there already, 0 left as they are\n");
    assertThat(withoutVersions(exported("copy/round/"), "copy/"))
        .isEqualTo(withoutVersions(lines, ""));

    try (TestudoClient client = TestudoClient.connect(config)) {
      assertThat(client.counter("copy/round/counter").increment().join())
          .isEqualTo(Long.MIN_VALUE + 1);
      assertThat(client.object("copy/round/own", TEXT).submit(APPEND, "!").join())
          .isEqualTo("of a type of one's own");
      assertThat(client.queue("copy/round/queue").add("next").join()).isEqualTo(2);
      assertThat(client.largeMap("copy/round/large").get("key7").join()).contains(Bytes.utf8("v7"));
    }
  }

  private static List<String> withoutVersions(List<String> lines, String prefix) {
    return lines.stream()
        .map(
            line ->
                line.replaceFirst("\"version\":\\d+,?", "")
                    .replaceFirst("\"object\":\"" + prefix, "\"object\":\""))
        .toList();
  }

  @Test
  void areNotOverwrittenUnlessThatIsWanted() throws IOException {
    try (TestudoClient client = TestudoClient.connect(config)) {
      client.counter("kept/same").set(1).join();
      client.counter("kept/other").set(1).join();
      client.counter("kept/type").set(1).join();
      List<String> lines = exported("kept/");
      client.counter("kept/other").set(2).join();
      Path file =
          file(
              "kept.jsonl",
              lines.stream()
                  .map(
                      line ->
                          line.contains("kept/type")
                              ? "{\"object\":\"kept/type\",\"type\":\"register\",\"value\":\"x\"}"
                              : line)
                  .toList());
      OneCommand refused = object("import", file.toString());
      assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
      assertThat(refused.out()).isEqualTo("0 restored, 1 were there already, 2 left as they are\n");
      assertThat(refused.err())
          .contains("'kept/other' exists and was left; --overwrite replaces it.")
          .contains("'kept/type' exists, is of another type, and was left.");
      assertThat(client.counter("kept/other").get().join()).isEqualTo(2);
      OneCommand told = object("import", file.toString(), "--overwrite", "--json");
      assertThat(told.out()).isEqualTo("{\"restored\":1,\"same\":1,\"left\":1,\"ended\":0}\n");
      assertThat(client.counter("kept/other").get().join()).isEqualTo(1);
      assertThat(client.counter("kept/type").get().join()).isEqualTo(1);
    }
  }

  /** Keys would be where nobody looks. */
  @Test
  void leaveLargeMapsAloneWhoseKeysAreElsewhere() throws IOException {
    try (TestudoClient client = TestudoClient.connect(config)) {
      client.largeMap("sharded/map", 2).put("a", "1").join();
      List<String> lines = exported("sharded/");
      assertThat(lines).hasSize(2);
      LargeMap other = client.largeMap("copy/sharded/map", 2);
      other.put("b", "2").join();
      Path file = file("sharded.jsonl", lines);
      OneCommand refused =
          object("import", file.toString(), "--overwrite", "--add-prefix", "copy/");
      assertThat(refused.out()).isEqualTo("0 restored, 0 were there already, 2 left as they are\n");
      assertThat(refused.err())
          .contains("'copy/sharded/map' exists and is no large map with the same layout")
          .contains("its keys are elsewhere");
      assertThat(other.size().join()).isEqualTo(1);
      assertThat(object("import", file.toString(), "--add-prefix", "third/").code()).isZero();
      assertThat(client.largeMap("third/sharded/map").get("a").join()).contains(Bytes.utf8("1"));
      OneCommand deleted = object("delete", "sharded/map");
      assertThat(deleted.code()).isEqualTo(ExitCode.FAILED);
      assertThat(deleted.err()).contains("delete the shards of the map instead");
      assertThat(object("ls", "sharded/map").out()).contains("large map");
    }
  }

  @Test
  void endWhenTheyWouldHaveEnded() throws IOException {
    Duration hour = Duration.ofHours(1);
    Instant end;
    try (TestudoClient client = TestudoClient.connect(config)) {
      ReplicatedObject<Long> counter = client.counter("mortal/counter").object();
      ReplicatedObject<String> own = client.object("mortal/own", TEXT);
      ReplicatedObject<Long> over = client.counter("mortal/over").object();
      counter.submit(CounterObject.ADD, 1L).join();
      own.submit(SET, "ends").join();
      over.createdWith(TimeToLive.of(Duration.ofMillis(1))).submit(CounterObject.ADD, 1L).join();
      assertThat(counter.expireAfter(TimeToLive.sinceLastChange(hour)).join()).isTrue();
      assertThat(own.expireAfter(TimeToLive.of(hour)).join()).isTrue();
      end = counter.expiry().join().orElseThrow();
      while (over.expiry().join().isPresent()) {
        Thread.onSpinWait();
      }
    }
    List<String> lines = exported("mortal/");
    String time = ",\"timeToLive\":{\"millis\":3600000,\"renewed\":%s,\"endsAtMillis\":";
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).contains(time.formatted(true) + end.toEpochMilli() + "}");
    assertThat(lines.get(1)).contains(time.formatted(false)).contains("\"type\":\"raw\"");

    List<String> more = new ArrayList<>(lines);
    more.add(
        lines
            .get(0)
            .replace("mortal/counter", "mortal/past")
            .replace(String.valueOf(end.toEpochMilli()), "1"));
    Path file = file("mortal.jsonl", more);
    OneCommand imported = object("import", file.toString(), "--add-prefix", "copy/");
    assertThat(imported.err()).isEmpty();
    assertThat(imported.out())
        .isEqualTo("2 restored, 0 were there already, 0 left as they are, 1 have ended since\n");
    assertThat(object("import", file.toString(), "--add-prefix", "copy/").out())
        .startsWith("0 restored, 2 were there already");
    assertThat(withoutVersions(exported("copy/mortal/"), "copy/"))
        .isEqualTo(withoutVersions(lines, ""));
    try (TestudoClient client = TestudoClient.connect(config)) {
      assertThat(client.counter("copy/mortal/counter").object().expiry().join()).contains(end);
      assertThat(client.object("copy/mortal/own", TEXT).expiry().join()).isPresent();
    }
  }

  @Test
  void tellWhichOnlyTheirOwnClientsCanRead() {
    try (TestudoClient client = TestudoClient.connect(config)) {
      client.object("strange/a", TEXT).submit(APPEND, "x").join();
      client.counter("strange/b").increment().join();
    }
    OneCommand export = object("export", "strange/");
    assertThat(export.code()).isEqualTo(ExitCode.FAILED);
    assertThat(export.err()).contains("'strange/a' is not exported").contains("number 100");
    assertThat(export.lines()).hasSize(3);
    assertThat(export.lines().get(2))
        .isEqualTo("{\"complete\":false,\"objects\":1,\"unreadable\":1}");
  }

  @Test
  void sayWhatIsWrongWithAFile() throws IOException {
    assertThat(exported("none/")).isEmpty();
    for (Map.Entry<String, String> wrong :
        Map.of(
                "{\"object\":\"w/x\",\"type\":\"counter\"}",
                "no field \"value\"",
                "{\"object\":\"w/x\",\"type\":\"tree\"}",
                "there is no type 'tree'",
                "{\"object\":\"w/x\",\"type\":\"counter\",\"value\":1.5}",
                "is no object",
                "{\"object\":\"\",\"type\":\"counter\",\"value\":1}",
                "1 to 500 bytes",
                "{\"type\":\"counter\",\"value\":1}",
                "no field \"object\"",
                "{\"export\":\"testudo objects\",\"format\":2}",
                "of format 2",
                "{\"object\":\"w/x\",\"type\":\"raw\",\"typeNumber\":1,\"state\":\"Ag==\"}",
                "no state of counter",
                "{\"object\":\"w/x\",\"type\":\"raw\",\"typeNumber\":7,\"state\":\"AgIC\"}",
                "number 1, not 7",
                "{\"object\":\"w/x\",\"type\":\"counter\",\"value\":1,\"timeToLive\":"
                    + "{\"millis\":0,\"renewed\":false,\"endsAtMillis\":1}}",
                "no time to live",
                "counter",
                "is no object")
            .entrySet()) {
      Path file = file("wrong.jsonl", List.of(wrong.getKey()));
      OneCommand command = object("import", file.toString());
      assertThat(command.code()).as(wrong.getKey()).isEqualTo(ExitCode.FAILED);
      assertThat(command.err()).contains("line 1 is no object", wrong.getValue()).hasLineCount(1);
    }
    Path cut =
        Files.writeString(
            temporary.resolve("cut.jsonl"),
            "{\"object\":\"cut/x\",\"type\":\"counter\",\"value\":1}\n");
    OneCommand command = object("import", cut.toString());
    assertThat(command.code()).isEqualTo(ExitCode.FAILED);
    assertThat(command.out()).startsWith("1 restored");
    assertThat(command.err()).contains("does not say that it is complete");
    assertThat(object("import", "/nonexistent").err()).contains("/nonexistent cannot be read");
  }

  /** One that ends half-way leaves no file that looks whole. */
  @Test
  void needAQuorum() {
    cluster.stop(new ServerId(2));
    cluster.stop(new ServerId(3));
    try {
      Path file = temporary.resolve("lost.jsonl");
      OneCommand export = object("export", "--timeout", "300ms", "--file", file.toString());
      assertThat(export.code()).isEqualTo(ExitCode.FAILED);
      assertThat(export.err()).contains("2 of 4 servers told of their objects");
      assertThat(file).doesNotExist();
    } finally {
      cluster.start(new ServerId(3));
      cluster.start(new ServerId(2));
    }
  }
}
