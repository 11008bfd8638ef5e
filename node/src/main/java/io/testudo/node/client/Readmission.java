package io.testudo.node.client;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ServerQuestions;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.mutex.backoff.AskCeilings;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.backoff.Ceilings;
import io.testudo.mutex.backoff.TakeCeilings;
import io.testudo.node.CommandException;
import io.testudo.ordering.client.ReadmissionProgress;
import io.testudo.ordering.client.ReadmitObjects;
import io.testudo.ordering.client.Readmitted;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Machine;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** Lets servers in again that lost their disks. It can be repeated at any time. */
public final class Readmission {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ClusterClient cluster;
  private final Duration timeout;

  /** On a client that has no other use for objects. */
  public Readmission(ClusterClient cluster, Duration timeout) {
    this.cluster = cluster;
    this.timeout = timeout;
  }

  /**
   * Tells servers that have lost their memory of locks how far the ranks of the others went, as far
   * as enough of them vouch for it.
   *
   * @return those that have a memory of locks now
   */
  public ServerSet locks() throws InterruptedException {
    Thresholds known = cluster.thresholds();
    Thresholds locking = BackoffProtocol.ALL_SERVERS.thresholds(known.servers(), known.faults());
    ServerQuestions questions = cluster.questions();
    Answers<Ceilings> asked =
        questions.inquire(
            questions.once(Ceilings.class, Ceilings::nonce), AskCeilings::new, timeout);
    Ceilings.Ranks ranks =
        Ceilings.vouched(asked.pages().values(), locking)
            .orElseThrow(
                () ->
                    new CommandException(
                        "Too few servers answer that have a memory of locks, %d are needed; start them first."
                            .formatted(Ceilings.answersNeeded(asked.pages().values(), locking))));
    Answers<Ceilings> told =
        questions.inquire(
            questions.once(Ceilings.class, Ceilings::nonce),
            nonce -> new TakeCeilings(nonce, ranks),
            timeout);
    ServerSet done = ServerSet.none();
    for (Map.Entry<ServerId, Ceilings> answer : told.pages().entries()) {
      done = answer.getValue().known() ? done.with(answer.getKey()) : done;
    }
    return done;
  }

  /**
   * How servers stand to objects.
   *
   * @param complete those that know which objects are new
   * @param unfinished those that do not, or may have forgotten some that are not
   */
  public record Standing(ServerSet complete, ServerSet unfinished) {}

  /** Asks all servers how they stand to objects; those without a memory do not answer. */
  public Standing standing() throws InterruptedException {
    ServerSet complete = ServerSet.none();
    ServerSet unfinished = ServerSet.none();
    Answers<MemoryPage> answers = ServerQuestions.await(cluster.questions().memories(timeout));
    for (Map.Entry<ServerId, MemoryPage> answer : answers.pages().entries()) {
      MemoryPage page = answer.getValue();
      complete = page.isComplete() ? complete.with(answer.getKey()) : complete;
      unfinished =
          !page.isComplete() || page.doubtful() > 0 ? unfinished.with(answer.getKey()) : unfinished;
    }
    return new Standing(complete, unfinished);
  }

  /**
   * Tells servers which objects are new, and brings them up to date with the others.
   *
   * @param progress hears of each step, on a thread that must not be blocked
   */
  public Objects objects(Consumer<ReadmissionProgress> progress) {
    ClusterDescription description = cluster.config().cluster();
    NettyClient connections = cluster.connections();
    Machine<ServerId> machine =
        cluster
            .objectBackend()
            .readmitter(
                description.servers(),
                description.byzantine(),
                connections.principal(),
                connections.session(),
                cluster.config().objectSeals(),
                RANDOM::nextLong);
    return new Objects(
        connections.start(
            machine,
            event -> {
              if (event instanceof ReadmissionProgress step) {
                progress.accept(step);
              }
            }));
  }

  /** What lets servers in again to objects, one after the other. */
  public final class Objects implements AutoCloseable {
    private final ClientMachine machine;

    private Objects(ClientMachine machine) {
      this.machine = machine;
    }

    /**
     * Lets one server in.
     *
     * @throws io.testudo.ordering.client.ReadmissionException with what to do first
     */
    public Readmitted readmit(ServerId server) throws InterruptedException {
      return ServerQuestions.await(machine.call(new ReadmitObjects(server, timeout.toNanos())));
    }

    @Override
    public void close() {
      machine.close();
    }
  }
}
