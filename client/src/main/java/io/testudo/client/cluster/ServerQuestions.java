package io.testudo.client.cluster;

import io.testudo.client.inquiry.AskStatus;
import io.testudo.client.inquiry.ClearReports;
import io.testudo.client.inquiry.Inquirer;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.client.inquiry.ServerStatus;
import io.testudo.mutex.protocol.ListLocks;
import io.testudo.mutex.protocol.LockList;
import io.testudo.ordering.message.AskMemory;
import io.testudo.ordering.message.ListObjects;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.ordering.message.ObjectList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.ping.Pardon;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.protocol.Message;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** Questions to all servers of a cluster, each answered for itself. */
public final class ServerQuestions {
  /** Who has not answered after this is asked again. */
  static final long RETRY_NANOS = 200_000_000L;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final NettyClient connections;
  private final int servers;

  ServerQuestions(NettyClient connections, int servers) {
    this.connections = connections;
    this.servers = servers;
  }

  /** Asks every server how it is; those that do not answer in time are absent. */
  public CompletableFuture<Answers<ServerStatus>> statuses(Duration timeout) {
    return ask(once(ServerStatus.class, ServerStatus::nonce), AskStatus::new, timeout);
  }

  /** Asks every server for its memory of objects; those without one do not answer. */
  public CompletableFuture<Answers<MemoryPage>> memories(Duration timeout) {
    return ask(
        once(MemoryPage.class, MemoryPage::nonce),
        nonce -> new AskMemory(nonce, List.of(), ""),
        timeout);
  }

  private <A extends Message> CompletableFuture<Answers<A>> ask(
      Inquirer<A> machine, LongFunction<Message> question, Duration timeout) {
    ClientMachine started = connections.start(machine, event -> {});
    return started
        .call(new Inquirer.Inquire<A>(question, timeout.toNanos()))
        .whenComplete((answers, failure) -> started.close());
  }

  /**
   * Has every server forget what was reported of one, and how often that one is said to have
   * started.
   *
   * @return those that did
   */
  public ServerSet clear(ServerId suspect, Duration timeout) throws InterruptedException {
    Answers<ServerStatus> cleared =
        inquire(
            once(ServerStatus.class, ServerStatus::nonce),
            nonce -> new ClearReports(nonce, suspect),
            timeout);
    Answers<Pong> pardoned =
        inquire(once(Pong.class, Pong::nonce), nonce -> new Pardon(nonce, suspect), timeout);
    ServerSet done = ServerSet.none();
    for (ServerId server : cleared.pages().keySet()) {
      done = pardoned.pages().containsKey(server) ? done.with(server) : done;
    }
    return done;
  }

  /** A machine that asks a question that has one answer. */
  public <A extends Message> Inquirer<A> once(Class<A> answer, ToLongFunction<A> nonce) {
    return inMany(answer, nonce, page -> Optional.empty(), Inquirer.MAX_PAGES);
  }

  private <A extends Message> Inquirer<A> inMany(
      Class<A> answer, ToLongFunction<A> nonce, Inquirer.Paging<A> next, int pages) {
    return new Inquirer<>(answer, servers, RETRY_NANOS, RANDOM::nextLong, nonce, next, pages);
  }

  /** Asks every server for the locks of one protocol whose names start so. */
  public Answers<LockList> lockLists(String backend, String prefix, Duration timeout)
      throws InterruptedException {
    return await(lockPages(backend, prefix, timeout, Inquirer.MAX_PAGES));
  }

  /** Asks every server for the first of them, so many pages. */
  public CompletableFuture<Answers<LockList>> lockPages(
      String backend, String prefix, Duration timeout, int pages) {
    Inquirer<LockList> machine =
        inMany(
            LockList.class,
            LockList::nonce,
            page -> ListPages.behind(page, backend, prefix),
            pages);
    return ask(machine, nonce -> new ListLocks(nonce, backend, prefix, ""), timeout);
  }

  /** Asks every server for the objects whose names start so. */
  public Answers<ObjectList> objectLists(String prefix, Duration timeout)
      throws InterruptedException {
    return await(objectPages(prefix, timeout, Inquirer.MAX_PAGES));
  }

  /** Asks every server for the first of them, so many pages. */
  public CompletableFuture<Answers<ObjectList>> objectPages(
      String prefix, Duration timeout, int pages) {
    Inquirer<ObjectList> machine =
        inMany(ObjectList.class, ObjectList::nonce, page -> ListPages.behind(page, prefix), pages);
    return ask(machine, nonce -> new ListObjects(nonce, prefix, ""), timeout);
  }

  /** Asks every server; those that do not answer in time are absent. */
  public <A extends Message> Answers<A> inquire(
      Inquirer<A> machine, LongFunction<Message> question, Duration timeout)
      throws InterruptedException {
    return await(ask(machine, question, timeout));
  }

  /** Waits for an answer. */
  public static <R> R await(CompletableFuture<R> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TestudoException told) {
        throw told;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
