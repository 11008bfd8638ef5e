package io.testudo.mutex.sim;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.liar.Forger;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.function.Consumer;

/** A protocol behind the lock: how to make its halves, and what only it knows. */
interface LockBackend {
  /** Comes first: draws what differs from run to run. */
  void begin(Entropy entropy);

  /** Whether tokens must grow, come what may in this run. */
  default boolean fencesGrow() {
    return true;
  }

  /** The longest hold that may be asked for. */
  long maxHoldNanos();

  Machine<ClientId> newServer(ServerId self, Entropy entropy);

  Machine<ServerId> newClient(ClientId self, Entropy entropy);

  Forger forger();

  /** Whether the client would count this message of a server in a tally now. */
  boolean wouldCount(Machine<ServerId> client, ServerId from, Message message);

  /** Hears what a correct server says to a client. */
  void onServerSends(ServerId server, ClientId to, Message message);

  /** Checks that a client which enters was let in by servers for this very attempt. */
  void checkEntry(ClientId client, Machine<ServerId> machine, String lock, long token);

  /** Looks at a correct server after each of its steps. */
  default void checkServer(ServerId server, Machine<ClientId> machine) {}

  /** Looks at what a client does in each of its steps. */
  default void checkClient(ClientId client, List<Effect<ServerId>> effects) {}

  /** Lets the backend strike servers down. */
  default void meet(Consumer<ServerId> striker) {}

  /** Whether a correct server may die now. */
  default boolean mayDie(ServerId server) {
    return true;
  }

  /** Whether a correct server still has an attempt for the owner of a lock. */
  boolean isGranted(Machine<ClientId> server, String lock, long token);
}
