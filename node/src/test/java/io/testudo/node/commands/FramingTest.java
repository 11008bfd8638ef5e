package io.testudo.node.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.inquiry.ReportSuspects;
import io.testudo.client.inquiry.Suspect;
import io.testudo.node.OneCommand;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Principals that speak ill of servers: what comes of it, and how operators undo it. */
class FramingTest {
  private static final int SERVERS = 4;

  @TempDir static Path temporary;
  private static LocalCluster cluster;
  private static ClusterDirectory directory;
  private static String admin;

  @BeforeAll
  static void start() {
    directory = TestClusters.make(temporary.resolve("cluster"), TestClusters.PLAIN, "client");
    var unusedToo = directory.addClient("nobody", List.of());
    cluster = LocalCluster.start(directory, SERVERS, /* inMemory= */ true, (machine, cause) -> {});
    admin = directory.clientConfig("admin").toString();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Says ill of all servers to all of them. */
  private record Slander(String detail) implements Call<Boolean> {}

  private static final class Slanderer extends Machine<ServerId> {
    private static final long NONCE = 77;
    private ServerSet heard = ServerSet.none();
    private @Nullable CallId<Boolean> call;

    Slanderer() {
      onCall(Slander.class, this::onSlander);
      onMessage(Pong.class, this::onPong);
    }

    private void onSlander(CallId<Boolean> id, Slander slander) {
      call = id;
      ImmutableList<Suspect> suspects =
          Stream.of(0, 1, 2, 3)
              .map(
                  index ->
                      Suspect.of(new ServerId(index), Suspect.Kind.CONTRADICTION, slander.detail()))
              .collect(ImmutableList.toImmutableList());
      for (ServerId server : ServerSet.firstN(SERVERS)) {
        long many = 1L << 62;
        send(server, new Ping(1, Incarnations.of(many, many, many, many)));
        send(server, new ReportSuspects(suspects));
        send(server, new Ping(NONCE, Incarnations.none(SERVERS)));
      }
    }

    private void onPong(ServerId from, Pong pong) {
      heard = pong.nonce() == NONCE ? heard.with(from) : heard;
      if (heard.size() == SERVERS && call != null) {
        complete(call, true);
        call = null;
      }
    }
  }

  private static void slander(String principal, String detail) throws Exception {
    ClientConfig config = ClientConfig.read(directory.clientConfig(principal));
    try (ClusterClient client = ClusterClient.connect(config)) {
      var machine = client.connections().start(new Slanderer(), event -> {});
      assertThat(machine.call(new Slander(detail)).get()).isTrue();
    }
  }

  private static String status() {
    return OneCommand.run("status", "--config", admin).out();
  }

  @Test
  void isNotForPrincipalsWithoutRights() throws Exception {
    slander("nobody", "slandered");
    assertThat(status()).contains("none fails; 1 more may fail").doesNotContain("slandered");
  }

  @Test
  void cannotSpeakToTheTerminalAndIsClearedByAnOperator() throws Exception {
    slander("client", "\u001b[2Jslandered\nby client\u202e");
    String seen = status();
    assertThat(seen)
        .contains("\\u001b[2Jslandered\\u000aby client\\u202e")
        .doesNotContain("\u001b", "\u202e", "forgetful");
    for (ServerId server : ServerSet.firstN(SERVERS)) {
      OneCommand clear = OneCommand.run("clear", server.toString(), "--config", admin);
      assertThat(clear.code()).isZero();
      assertThat(clear.out())
          .isEqualTo("4 of 4 servers have forgotten what was said of %s.%n".formatted(server));
    }
    assertThat(status()).contains("none fails; 1 more may fail").doesNotContain("slandered");
    String client = directory.clientConfig("client").toString();
    assertThat(OneCommand.run("clear", "s0", "--config", client).err())
        .contains("client has no right to administer");
    assertThat(OneCommand.run("clear", "s9", "--config", admin).err())
        .contains("The cluster has no server 's9'; name one such as s0.");
  }
}
