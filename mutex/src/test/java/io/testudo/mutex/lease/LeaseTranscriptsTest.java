package io.testudo.mutex.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.lease.Transcript.Stage;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of leases, as transcripts in src/test/resources/transcripts. */
class LeaseTranscriptsTest {
  private static void play(String name, Supplier<Stage> stage) throws IOException {
    List<String> differences = Transcript.read(name).differences(stage.get());
    if (!differences.isEmpty()) {
      throw new AssertionError(
          "%s went otherwise (- as written, + as it went):\n%s"
              .formatted(name, String.join("\n", differences)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grant", "renew", "refuse", "expire", "release", "restart"})
  void aServerGrantsAs(String rule) throws IOException {
    play("server/" + rule + ".txt", GrantingServer::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"keep", "renew", "expire", "release"})
  void aClientKeepsALeaseAs(String rule) throws IOException {
    play("keeper/" + rule + ".txt", KeepingClient::new);
  }

  @Test
  void aTranscriptThatGoesOtherwiseShowsWhere() {
    assertThat(
            Transcript.compare(
                List.of("alice tries", "  alice: granted", "bob tries", "  bob: granted"),
                List.of("alice tries", "  alice: granted", "bob tries", "  bob: denied")))
        .containsExactly(
            "  alice tries",
            "    alice: granted",
            "  bob tries",
            "-   bob: granted",
            "+   bob: denied");
  }
}
