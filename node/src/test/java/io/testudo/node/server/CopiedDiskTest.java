package io.testudo.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.OneCommand;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.FreePorts;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.node.setup.DeletedTree;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.netty.ServerLoops;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole disk that was put back, or that two servers go on from, is seen by those who look. */
class CopiedDiskTest {
  private static final ServerId S3 = new ServerId(3);

  @TempDir Path temporary;
  private ClusterDirectory directory;
  private Path admin;
  private final ServerLoops loops = ServerLoops.start(1);
  private final Map<ServerId, ServerNode> nodes = new HashMap<>();
  private final List<ServerNode> clones = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    directory = TestClusters.make(temporary.resolve("cluster"), TestClusters.PLAIN, "admin");
    admin = directory.clientConfig("admin");
    for (ServerId server : ServerSet.firstN(4)) {
      Path config = directory.serverConfig(server);
      Files.writeString(config, Files.readString(config) + "sync = false\n");
      start(server);
    }
    assertThat(status(admin)).contains("none fails");
    assertThat(status(admin)).contains("none fails");
  }

  private ServerNode startOn(ServerConfig config) {
    JournalOptions options = JournalOptions.defaults().withSurvives(config.survives());
    Journals journals =
        Journals.in(config.data(), "test", config.self(), options, Enrolment.EXPECTED);
    return ServerNode.start(config, journals, loops, (machine, cause) -> {});
  }

  private void start(ServerId server) {
    nodes.put(server, startOn(ServerConfig.read(directory.serverConfig(server))));
  }

  private void stop(ServerId server) {
    ServerNode node = nodes.remove(server);
    if (node != null) {
      node.close();
    }
  }

  @AfterEach
  void end() {
    clones.forEach(ServerNode::close);
    ServerSet.firstN(4).forEach(this::stop);
    loops.close();
  }

  private static String status(Path config) {
    return OneCommand.run("status", "--config", config.toString()).out();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!file.getFileName().toString().equals("journal.lock")) {
          Files.copy(file, target);
        }
      }
    }
  }

  @Test
  void aServerThatWentBackToAYoungCopyOfItsWholeDiskIsSeen() throws IOException {
    Path data = ServerConfig.read(directory.serverConfig(S3)).data();
    Path copy = temporary.resolve("copy");
    copy(data, copy);
    stop(S3);
    start(S3);
    assertThat(status(admin)).doesNotContain("forgetful");

    stop(S3);
    DeletedTree.delete(data);
    copy(copy, data);
    start(S3);
    stop(S3);
    start(S3); // Once more, before anybody looks.
    assertThat(status(admin)).contains("forgetful", "s3 counts as failing");
    assertThat(OneCommand.run("doctor", "--config", admin.toString()).out())
        .contains("went back to an older copy of its disk", "then 'testudo clear s3'");
    assertThat(status(admin)).contains("when you have looked into it, run 'testudo clear s3'");

    stop(S3);
    start(S3);
    assertThat(status(admin)).contains("forgetful"); // It is not forgiven by starting again.
  }

  private static void replaceIn(Path file, int port, int by) throws IOException {
    String text = Files.readString(file);
    Files.writeString(file, text.replaceAll("\\b" + port + "\\b", Integer.toString(by)));
  }

  @Test
  void aServerAndItsCloneAreSeenByThoseWhoReachThem() throws IOException {
    ServerConfig original = ServerConfig.read(directory.serverConfig(S3));
    Path clone = temporary.resolve("clone");
    copy(directory.serverConfig(S3).resolveSibling(""), clone);
    int port = FreePorts.find(1).get(0);
    Path config = clone.resolve("server.conf");
    replaceIn(config, original.listen().port(), port);
    clones.add(startOn(ServerConfig.read(config)));
    stop(S3);
    start(S3); // Both have started as often.

    Path otherAdmin = temporary.resolve("other");
    copy(admin.resolveSibling(""), otherAdmin);
    try (var files = Files.list(otherAdmin)) {
      for (Path file : files.toList()) {
        replaceIn(file, original.cluster().endpoint(S3).port(), port);
      }
    }
    Path reachesClone = otherAdmin.resolve(admin.getFileName());
    assertThat(status(reachesClone)).contains("127.0.0.1:" + port);
    assertThat(status(admin)).contains("127.0.0.1:" + original.listen().port(), "forgetful");
    assertThat(status(reachesClone)).contains("said what no correct server says", "and denies ");
  }
}
