package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ClosedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.Machine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client machine that breaks its own invariant. */
@Timeout(60)
class BrokenMachineTest {
  private record Wait() implements Call<String> {}

  private record Answer() implements Call<String> {}

  private record Break() implements Call<String> {}

  private static final class Fragile extends Machine<ServerId> {
    Fragile() {
      onCall(Wait.class, (id, call) -> {});
      onCall(Answer.class, (id, call) -> complete(id, "whole"));
      onCall(
          Break.class,
          (id, call) -> {
            throw new IllegalStateException("two and two are five");
          });
    }
  }

  private final NettyClient client =
      NettyClient.connect(
          List.of(), ClientCredentials.open("town", "alice"), LinkLimits.standard(), PingTypes.ALL);

  @AfterEach
  void stop() {
    client.close();
  }

  private ClientMachine start() {
    return client.start(new Fragile(), event -> {});
  }

  @Test
  void failsItsCallsThoseUnderWayAndThoseToCome() {
    ClientMachine machine = start();
    CompletableFuture<String> underWay = machine.call(new Wait());
    CompletableFuture<String> fatal = machine.call(new Break());
    assertThatThrownBy(fatal::join).hasCauseInstanceOf(ClosedException.class);
    assertThatThrownBy(underWay::join).hasCauseInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> machine.call(new Answer()).join())
        .hasCauseInstanceOf(ClosedException.class);
  }

  @Test
  void leavesTheOtherMachinesOfTheClientAlone() {
    ClientMachine broken = start();
    ClientMachine whole = start();
    assertThatThrownBy(() -> broken.call(new Break()).join())
        .hasCauseInstanceOf(ClosedException.class);
    assertThat(whole.call(new Answer()).join()).isEqualTo("whole");
  }

  @Test
  void saysWhatBroke() {
    try (Logged log = new Logged(ClientMachine.class)) {
      ClientMachine machine = start();
      assertThatThrownBy(() -> machine.call(new Break()).join())
          .hasCauseInstanceOf(ClosedException.class);
      // What was going on when the call failed is over when another is answered.
      assertThat(start().call(new Answer()).join()).isEqualTo("whole");
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("Fragile broke its own invariant and has stopped");
    }
  }
}
