package io.testudo.quorum.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What one run does with a protocol, and what must hold in it. A new one is made for each run, so
 * it may keep what its checks need. A check that fails throws a {@link Violation}.
 */
public interface Workload {
  /** Comes first, before anything is made: draws what differs from run to run. */
  default void begin(Entropy entropy) {}

  /** Comes next: says what this run has in store. */
  default void expose(ImmutableSet<Hazard> hazards) {}

  /** Whether wall clocks of clients may be off by hours. */
  default boolean toleratesFarClocks() {
    return false;
  }

  /** By how much the wall clocks of clients may be ahead and have to be borne with. */
  default long mostAheadMillis() {
    return 0;
  }

  /**
   * Comes next: lets the workload strike down a correct server whenever it likes. It dies an
   * instant later, unless all is well by then, and is back within 20 ms.
   */
  default void meet(Consumer<ServerId> striker) {}

  /** Hears who lies from now on: before all else, and when one more begins to. */
  default void onLiars(ServerSet liars) {}

  /** Whether a server that loses its disk can be readmitted. */
  default boolean readmits() {
    return false;
  }

  /**
   * Hears that a server has lost its disk: nothing that it has promised binds it any longer, and it
   * counts among the faulty until it is restored.
   */
  default void onServerLost(ServerId server) {}

  /** What the new journal of a server begins with that is readmitted. */
  default List<StateRecord> readmitted(ServerId server, Moment now) {
    return List.of();
  }

  /** What an operator still has to tell a server that was readmitted. */
  default Optional<Message> toldByOperator(ServerId server, Machine<ClientId> machine) {
    return Optional.empty();
  }

  /** Whether a server that was readmitted has made up for its loss, and is not faulty anymore. */
  default boolean isRestored(ServerId server, Machine<ClientId> machine) {
    return true;
  }

  /** Whether what was achieved may come to rest on servers that know less of it than they did. */
  default boolean losesWitnesses() {
    return false;
  }

  /** Whether a correct server may die now. Where that costs its memory, not all of them may. */
  default boolean mayDie(ServerId server) {
    return true;
  }

  /** A server machine as it is at each start, before it recovers. */
  Machine<ClientId> newServer(ServerId self, Entropy entropy);

  /** A client machine. */
  Machine<ServerId> newClient(ClientId self, Entropy entropy);

  /** The lies that only one who knows the protocol can tell. */
  Forger forger();

  /**
   * Makes one operation as an application would, and runs {@code done} when it is over, however it
   * ended. An operation may fail while there is chaos; while all is well it must succeed.
   */
  void operate(ClientPort port, Runnable done);

  /** Operations that each client makes when all is well again. */
  int closingOperations();

  /** Whether clients go on after their last operation, until all others have made theirs. */
  default boolean keepsBusy() {
    return false;
  }

  /** About as many bytes a client machine may keep, whatever servers say. */
  default long maxClientBytes() {
    return 1 << 20;
  }

  /** About as many bytes a server machine may keep, whatever these few clients and a rogue say. */
  default long maxServerBytes() {
    return 1 << 30;
  }

  /** Whether the client would count this message of a server in a tally now. */
  boolean wouldCount(Machine<ServerId> client, ServerId from, Message message);

  /** Whether the client would let this message of a server count for anything at all now. */
  default boolean wouldHeed(Machine<ServerId> client, ServerId from, Message message) {
    return wouldCount(client, from, message);
  }

  /**
   * Looks at a correct server after each of its steps.
   *
   * @param starts how often it has been started
   */
  default void afterServerStep(ServerId server, long starts, Machine<ClientId> machine) {}

  /**
   * Looks at a client after each of its steps, before the application hears of it.
   *
   * @param effects what the step brings about, all of it at this very instant
   */
  default void afterClientStep(
      ClientId client, Machine<ServerId> machine, List<Effect<ServerId>> effects) {}

  /**
   * Hears what a client machine tells unasked. Suspicions of correct servers are caught already.
   */
  default void onClientEvent(ClientId client, Event event) {}

  /** Hears what a correct server machine tells unasked. */
  default void onServerEvent(ServerId server, Event event) {}

  /** Hears that a client is no more: whatever it held, it holds no longer. */
  default void onClientDies(ClientId client) {}

  /**
   * Hears what a correct server says, when it goes out: whatever it promises must be durable now.
   *
   * @param life how often the server had died before
   */
  default void onServerSends(ServerId server, long life, ClientId to, Message message) {}

  /** How long after the last operation the world goes on before {@link #atEnd}. */
  default long settlingNanos() {
    return 0;
  }

  /** Looks at the whole when every operation is over. */
  default void atEnd() {}
}
