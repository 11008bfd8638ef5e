package io.testudo.bench.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Unattended;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualNetworkTest {
  private static final ServerId SERVER = new ServerId(0);
  private static final ClientId CLIENT = new ClientId("client", 1, 0);

  private final VirtualTime time = new VirtualTime(0);
  private final Deque<Long> delays = new ArrayDeque<>(List.of(30L, 10L, 20L));
  private final List<String> heard = new ArrayList<>();

  /** A client that listens. */
  private final class Listener extends Machine<ServerId> {
    Listener() {
      onMessage(Unattended.class, (from, message) -> heard.add(message.object() + time.nowNanos()));
    }
  }

  /** A client that says nothing. */
  private static final class Mute implements SimulatedMachine.Surroundings<ServerId> {
    @Override
    public void send(ServerId to, Message message) {}

    @Override
    public void completed(long call, Object result) {}

    @Override
    public void failed(long call, Throwable reason) {}
  }

  private VirtualNetwork network(boolean inOrder) {
    VirtualNetwork network = new VirtualNetwork(time, (client, server) -> delays.remove(), inOrder);
    SimulatedMachine<ServerId> unused = network.join(CLIENT, new Listener(), new Mute());
    return network;
  }

  private void runAll() {
    boolean goesOn = true;
    while (goesOn) {
      goesOn = time.runNext();
    }
  }

  @Test
  void letsMessagesOvertakeEachOther() {
    VirtualNetwork network = network(false);
    List.of("a", "b", "c").forEach(name -> network.carry(SERVER, CLIENT, new Unattended(name)));

    runAll();

    assertThat(heard).containsExactly("b10", "c20", "a30");
    assertThat(network.messages()).isEqualTo(3);
  }

  @Test
  void keepsTheOrderOfAConnectionIfTold() {
    VirtualNetwork network = network(true);
    List.of("a", "b", "c").forEach(name -> network.carry(SERVER, CLIENT, new Unattended(name)));

    runAll();

    assertThat(heard).containsExactly("a30", "b30", "c30");
  }

  @Test
  void whatArrivesWaitsForItsReceiverAndForACore() {
    VirtualNetwork network = network(false);
    network.computeOn(new VirtualCores(time, 2, 15));
    List.of("a", "b", "c").forEach(name -> network.carry(SERVER, CLIENT, new Unattended(name)));

    runAll();

    // They arrive at 10, 20 and 30; the second core is of no use to one receiver.
    assertThat(heard).containsExactly("b25", "c40", "a55");
  }

  @Test
  void givesAClientNothingThatItDoesNotHandleOrAfterItLeft() {
    VirtualNetwork network = network(false);
    network.carry(SERVER, CLIENT, new Busy("a", Rank.NONE, Rank.NONE));
    network.carry(SERVER, CLIENT, new Unattended("b"));
    network.carry(SERVER, CLIENT, new Unattended("c"));

    boolean unused = time.runUntil(15);
    network.leave(CLIENT);
    runAll();

    assertThat(heard).containsExactly("b10");
  }
}
