package io.testudo.node.examination;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.OneCommand;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Objects that come and go, as the command line shows them. */
@Timeout(120)
class ObjectLifeCommandsTest {
  @TempDir Path temporary;
  private LocalCluster cluster;
  private String writer;
  private String reader;

  @BeforeEach
  void start() {
    ClusterDirectory directory = TestClusters.make(temporary.resolve("cluster"));
    OneCommand added =
        OneCommand.run(
            "client",
            "add",
            "dashboard",
            "--rights",
            "read",
            "--prefix",
            "config/",
            "--dir",
            temporary.resolve("cluster").toString());
    assertThat(added.code()).isZero();
    cluster = LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
    writer = directory.clientConfig("client").toString();
    reader = directory.clientConfig("dashboard").toString();
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private static OneCommand object(String config, String... words) {
    List<String> all = new ArrayList<>(List.of("object"));
    all.addAll(List.of(words));
    all.addAll(List.of("--config", config));
    return OneCommand.run(all.toArray(new String[0]));
  }

  private static void assertDone(OneCommand command) {
    assertThat(command.code()).as(command.err()).isZero();
  }

  @Test
  void objectsAreListedWithTypesDeletedAndMadeAnew() {
    assertDone(object(writer, "put", "config/web", "port", "8080"));
    assertDone(object(writer, "incr", "config/visits"));
    assertThat(object(writer, "ls").out())
        .containsPattern("config/visits\tversion 1\tcounter\t\\d+ bytes")
        .containsPattern("config/web\tversion 1\tmap\t\\d+ bytes");

    assertDone(object(writer, "delete", "config/web"));
    assertThat(object(writer, "ls", "config/").out()).doesNotContain("config/web");
    assertThat(object(writer, "delete", "config/web").code()).isEqualTo(1);
    assertThat(object(writer, "get", "config/web", "port").code()).isEqualTo(1);
    assertDone(object(writer, "put", "config/web", "now a register"));
    assertThat(object(writer, "ls", "config/w", "--json").out())
        .contains("\"type\":\"register\"")
        .contains("\"object\":\"config/web\"");
  }

  @Test
  void objectsEndAndAreSwept() {
    assertDone(object(writer, "put", "config/motd", "back at noon"));
    assertDone(object(writer, "expire", "config/motd", "1ms"));
    assertThat(object(writer, "expire", "config/none", "1h").code()).isEqualTo(1);
    assertDone(object(writer, "put", "config/stays", "here"));
    assertDone(object(writer, "expire", "config/stays", "1h", "--renewed"));
    assertThat(object(writer, "sweep", "config/").out()).isEqualTo("config/motd\n");
    assertThat(object(writer, "sweep", "config/").out()).isEqualTo("No object is past its time.\n");
    assertThat(object(writer, "ls").out()).contains("stays").doesNotContain("motd");
    assertThat(object(writer, "get", "config/stays").out()).isEqualTo("here\n");
  }

  @Test
  void whoMayOnlyReadGetsListsAndWatches() {
    assertDone(object(writer, "put", "config/web", "port", "8080"));
    assertThat(object(reader, "get", "config/web", "port").out()).isEqualTo("8080\n");
    assertThat(object(reader, "get", "config/web", "port", "--stale").out()).isEqualTo("8080\n");
    assertThat(object(reader, "ls").out()).contains("config/web\tversion 1\tmap");
    assertThat(object(reader, "watch", "config/", "--prefix", "--count", "1").out())
        .isEqualTo("created\tconfig/web\tversion 1\tmap\n");
    assertThat(object(reader, "watch", "config/web", "port", "--count", "1").out())
        .isEqualTo("1\t8080\n");
    assertThat(object(reader, "put", "config/web", "port", "1").code()).isNotZero();
    assertThat(object(reader, "delete", "config/web").code()).isNotZero();
    assertThat(object(reader, "ls", "other/").code()).isNotZero();
  }
}
