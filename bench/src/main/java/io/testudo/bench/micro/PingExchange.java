package io.testudo.bench.micro;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One client and four servers that ping without any network: the steps alone. */
final class PingExchange {
  private static final int SERVERS = 4;
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MICRO_NANOS = 1_000;

  private final ClientId id = new ClientId("micro", 1, 0);
  private final PingClient client;
  private final Map<ServerId, PingServer> servers = new HashMap<>();
  private long nowNanos;
  private long calls;

  PingExchange(Entropy entropy) {
    client = new PingClient(Need.PING.thresholds(SERVERS, 1), SECOND_NANOS, entropy);
    client.step(new Input.Started<>(List.of()), now());
    for (ServerId server : ServerSet.firstN(SERVERS)) {
      PingServer machine = new PingServer(server, SERVERS);
      machine.step(new Input.Started<>(List.of()), now());
      servers.put(server, machine);
    }
  }

  /** What is said in one exchange, a ping first. */
  static List<Message> messages(Entropy entropy) {
    PingExchange exchange = new PingExchange(entropy);
    List<Message> said = new ArrayList<>();
    exchange.call(said);
    exchange.call(said);
    return said;
  }

  /** A ping of all servers, all steps of it; gives how many messages there were. */
  int call() {
    return call(new ArrayList<>());
  }

  private int call(List<Message> said) {
    int messages = 0;
    for (Effect<ServerId> effect :
        client.step(
            new Input.Called<>(new CallId<>(++calls), new Survey(Survey.Await.ALL, SECOND_NANOS)),
            now())) {
      if (effect instanceof Effect.Send<ServerId> ping) {
        said.add(ping.message());
        messages += 1 + answer(ping, said);
      }
    }
    return messages;
  }

  private int answer(Effect.Send<ServerId> ping, List<Message> said) {
    int messages = 0;
    PingServer server = servers.get(ping.to());
    if (server == null) {
      throw new IllegalStateException("there is no " + ping.to());
    }
    for (Effect<ClientId> effect : server.step(new Input.Received<>(id, ping.message()), now())) {
      if (effect instanceof Effect.Send<ClientId> pong) {
        said.add(pong.message());
        messages++;
        client.step(new Input.Received<>(ping.to(), pong.message()), now());
      }
    }
    return messages;
  }

  private Moment now() {
    nowNanos += MICRO_NANOS;
    return new Moment(nowNanos, TimeUnit.NANOSECONDS.toMillis(nowNanos));
  }
}
