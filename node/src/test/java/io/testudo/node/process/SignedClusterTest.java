package io.testudo.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.junit.LeavesNoProcess;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes whose clients seal with signatures. */
class SignedClusterTest {
  @RegisterExtension final LeavesNoProcess leavesNoProcess = new LeavesNoProcess();

  @TempDir Path temporary;
  private Testudo testudo;

  @BeforeEach
  void prepare() throws Exception {
    testudo = new Testudo(temporary);
  }

  @AfterEach
  void end() {
    testudo.close();
  }

  private void assertSays(String words, String... command) throws Exception {
    Testudo.Run run = testudo.run(command);
    // Where a server is gone and the machine is slow, it may say that it still waits.
    assertThat(run.out()).as(run.err()).contains(words);
    assertThat(run.awaitEnd()).isZero();
  }

  /** On a busy machine even handshakes may have to be repeated. */
  private void assertCounted(String words, String config, String... action) throws Exception {
    assertSays(
        words,
        Stream.of(
                Stream.of("object"),
                Stream.of(action),
                Stream.of("--config", config, "--timeout", "2m"))
            .flatMap(part -> part)
            .toArray(String[]::new));
  }

  @Test
  void countsAndLocksAndLetsOnePrincipalGoOnWhereAnotherEnded() throws Exception {
    Path directory = temporary.resolve("cluster");
    ServerProcesses cluster =
        ServerProcesses.start(
            testudo, directory, 4, "-b", "1", "--seals", "ed25519", "--clients", "alice,bob");
    String alice = cluster.clientConfig("alice").toString();
    String bob = cluster.clientConfig("bob").toString();
    assertCounted("1\n", alice, "incr", "visits");
    assertCounted("2\n", bob, "incr", "visits");
    cluster.kill(3);
    assertCounted("3\n", alice, "incr", "visits");
    assertSays("held\n", "lock", "job", "--config", bob, "--", "echo", "held");
    cluster.restart(3);
    assertCounted("3\n", bob, "get", "visits", "--type", "counter");
    String admin = cluster.clientConfig("admin").toString();
    assertSays("\"seals\":\"ed25519\"", "status", "--json", "--config", admin);
  }
}
