package io.testudo.mutex.sim;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A protocol behind the lock, in one run: how to make its machines, and what only it knows. What
 * holds for every lock is checked without it.
 */
public interface SimulatedLock {
  /**
   * Messages take up to 22 ms while all is well, and clocks err by up to 5 %. Two wall clocks
   * differ by up to 10 s, and servers that restart go on up to a second ahead.
   */
  LockTiming TIMING = new LockTiming(40_000_000L, 0.05, 60_000_000L, 300_000_000L, 12_000);

  /** Comes first: draws what differs from run to run. */
  default void begin(Entropy entropy) {}

  /** Makes everybody get a turn before long in this run; false if it cannot. */
  default boolean beFair() {
    return true;
  }

  /** Lets some clients of this run have the keys of the next epoch already. */
  default void exchangeKeys() {}

  /** Whether tokens must grow, come what may in this run. */
  default boolean fencesGrow() {
    return true;
  }

  Machine<ClientId> newServer(ServerId self, Entropy entropy);

  Machine<ServerId> newClient(ClientId self, Entropy entropy);

  /** What liars say; they alter nothing but the order and the number of words, unless it knows. */
  default Forger forger() {
    return (kind, step, context) -> step.meant();
  }

  /** Whether the client would count this message of a server in a tally now. */
  default boolean wouldCount(Machine<ServerId> client, ServerId from, Message message) {
    return false;
  }

  /** Hears what a correct server says to a client. */
  default void onServerSends(ServerId server, ClientId to, Message message) {}

  /** Checks that a client which enters was let in by servers for this very attempt. */
  default void checkEntry(ClientId client, Machine<ServerId> machine, String lock, long token) {}

  /** Looks at a correct server after each of its steps. */
  default void checkServer(ServerId server, Machine<ClientId> machine) {}

  /** Looks at what a client does in each of its steps. */
  default void checkClient(ClientId client, List<Effect<ServerId>> effects) {}

  /** Whether a server that loses its disk can be readmitted. */
  default boolean readmits() {
    return false;
  }

  /** What the new journal of a server begins with that is readmitted. */
  default List<StateRecord> readmitted(ServerId server, Moment now) {
    return List.of();
  }

  /**
   * What an operator still has to tell a server that was readmitted.
   *
   * @param correct servers, that one among them
   */
  default Optional<Message> toldByOperator(
      ServerId server, Map<ServerId, Machine<ClientId>> correct) {
    return Optional.empty();
  }

  /** Whether a server that was readmitted has made up for its loss. */
  default boolean isRestored(Machine<ClientId> machine) {
    return true;
  }

  /** Whether wall clocks of clients may be off by hours. */
  default boolean toleratesFarClocks() {
    return false;
  }

  /** Lets the backend strike servers down. */
  default void meet(Consumer<ServerId> striker) {}

  /** Whether a correct server may die now. */
  default boolean mayDie(ServerId server) {
    return true;
  }

  /** Whether a correct server still has an attempt for the owner of a lock. */
  default boolean isGranted(Machine<ClientId> server, String lock, long token) {
    return false;
  }
}
