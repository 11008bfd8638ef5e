package io.testudo.client.inquiry;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The client machine that asks every server a question and gathers what each one says, page by
 * page. It judges nothing: what b servers say may be a lie, and whoever asked has to count.
 *
 * @param <A> what servers answer
 */
public final class Inquirer<A extends Message> extends Machine<ServerId> {
  /** A client that asks for more at once has lost count. */
  static final int MAX_INQUIRIES = 64;

  /** A server that goes on and on is heard no longer. */
  public static final int MAX_PAGES = 256;

  /**
   * Asks all servers. The answer comes when all have answered in full, or when the time is over,
   * with what there is then.
   *
   * @param first makes the question, given a nonce that the answer must repeat
   */
  public record Inquire<A extends Message>(LongFunction<Message> first, long timeoutNanos)
      implements Call<Answers<A>> {
    public Inquire {
      checkArgument(timeoutNanos > 0, "a time to wait must be positive");
    }
  }

  /**
   * What servers said.
   *
   * @param pages in the order in which each one sent them
   * @param complete those that have said everything
   * @param roundTripNanos until the first page came
   * @param wallMillis when that was, on this client's clock
   */
  public record Answers<A extends Message>(
      ImmutableListMultimap<ServerId, A> pages,
      ServerSet complete,
      ImmutableMap<ServerId, Long> roundTripNanos,
      ImmutableMap<ServerId, Long> wallMillis) {}

  /** Makes the question for what is behind a page, if there is more. */
  public interface Paging<A> {
    Optional<LongFunction<Message>> next(A page);
  }

  private record Retry(long number) implements TimerKey {}

  private record Deadline(long number) implements TimerKey {}

  /** A question that one server has not answered. */
  private record Open(long inquiry, ServerId server, Message question) {}

  private static final class Inquiry<A extends Message> {
    final CallId<Answers<A>> call;
    final long startNanos;
    final ImmutableListMultimap.Builder<ServerId, A> pages = ImmutableListMultimap.builder();
    final Map<ServerId, Integer> pageCounts = new LinkedHashMap<>();
    final ImmutableMap.Builder<ServerId, Long> roundTrips = ImmutableMap.builder();
    final ImmutableMap.Builder<ServerId, Long> wallMillis = ImmutableMap.builder();
    ServerSet complete = ServerSet.none();

    Inquiry(CallId<Answers<A>> call, long startNanos) {
      this.call = call;
      this.startNanos = startNanos;
    }
  }

  private final ServerSet everyone;
  private final long retryNanos;
  private final Entropy entropy;
  private final ToLongFunction<A> nonceOf;
  private final Paging<A> paging;
  private final int maxPages;
  private final Map<Long, Inquiry<A>> inquiries = new LinkedHashMap<>();
  private final Map<Long, Open> open = new LinkedHashMap<>();
  private long lastNumber;

  /**
   * Makes a machine.
   *
   * @param retryNanos after which a server that has not answered is asked again
   * @param nonceOf which question an answer is for
   */
  public Inquirer(
      Class<A> answers,
      int servers,
      long retryNanos,
      Entropy entropy,
      ToLongFunction<A> nonceOf,
      Paging<A> paging) {
    this(answers, servers, retryNanos, entropy, nonceOf, paging, MAX_PAGES);
  }

  /**
   * Makes a machine that asks for the beginning only.
   *
   * @param maxPages as many pages of a server are asked for; it is not complete if it has more
   */
  public Inquirer(
      Class<A> answers,
      int servers,
      long retryNanos,
      Entropy entropy,
      ToLongFunction<A> nonceOf,
      Paging<A> paging,
      int maxPages) {
    checkArgument(maxPages > 0 && maxPages <= MAX_PAGES, "1 to %s pages", MAX_PAGES);
    this.everyone = ServerSet.firstN(servers);
    this.retryNanos = retryNanos;
    this.entropy = entropy;
    this.nonceOf = nonceOf;
    this.paging = paging;
    this.maxPages = maxPages;
    onInquire();
    onMessage(answers, this::onAnswer);
    onTimer(Retry.class, this::onRetry);
    onTimer(Deadline.class, this::onDeadline);
  }

  /** Whoever calls this machine asks for the answers that it was made for. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private void onInquire() {
    onCall((Class) Inquire.class, (id, call) -> onInquire((CallId) id, (Inquire) call));
  }

  private void onInquire(CallId<Answers<A>> call, Inquire<A> inquire) {
    if (inquiries.size() >= MAX_INQUIRIES) {
      fail(call, new OverloadedException("questions in progress", MAX_INQUIRIES));
      return;
    }
    long number = ++lastNumber;
    inquiries.put(number, new Inquiry<>(call, now().nanos()));
    for (ServerId server : everyone) {
      ask(number, server, inquire.first());
    }
    setTimer(new Retry(number), retryNanos);
    setTimer(new Deadline(number), inquire.timeoutNanos());
  }

  private void ask(long number, ServerId server, LongFunction<Message> question) {
    long nonce = entropy.nextLong();
    Message message = question.apply(nonce);
    open.put(nonce, new Open(number, server, message));
    send(server, message);
  }

  private void onAnswer(ServerId from, A page) {
    Open question = open.get(nonceOf.applyAsLong(page));
    if (question == null || !question.server().equals(from)) {
      return; // A repetition, too late, or made up.
    }
    open.remove(nonceOf.applyAsLong(page));
    Inquiry<A> inquiry = inquiries.get(question.inquiry());
    if (inquiry == null) {
      return;
    }
    inquiry.pages.put(from, page);
    int count = inquiry.pageCounts.merge(from, 1, Integer::sum);
    if (count == 1) {
      inquiry.roundTrips.put(from, now().nanos() - inquiry.startNanos);
      inquiry.wallMillis.put(from, now().wallMillis());
    }
    Optional<LongFunction<Message>> next = paging.next(page);
    if (next.isPresent() && count < maxPages) {
      ask(question.inquiry(), from, next.get());
      return;
    }
    if (next.isEmpty()) {
      inquiry.complete = inquiry.complete.with(from);
    }
    if (open.values().stream().noneMatch(other -> other.inquiry() == question.inquiry())) {
      finish(question.inquiry());
    }
  }

  private void onRetry(Retry retry) {
    if (inquiries.containsKey(retry.number())) {
      for (Open question : open.values()) {
        if (question.inquiry() == retry.number()) {
          send(question.server(), question.question());
        }
      }
      setTimer(retry, retryNanos);
    }
  }

  private void onDeadline(Deadline deadline) {
    finish(deadline.number());
  }

  private void finish(long number) {
    Inquiry<A> inquiry = forget(number);
    if (inquiry != null) {
      complete(
          inquiry.call,
          new Answers<>(
              inquiry.pages.build(),
              inquiry.complete,
              inquiry.roundTrips.buildOrThrow(),
              inquiry.wallMillis.buildOrThrow()));
    }
  }

  private @Nullable Inquiry<A> forget(long number) {
    cancelTimer(new Retry(number));
    cancelTimer(new Deadline(number));
    open.values().removeIf(question -> question.inquiry() == number);
    return inquiries.remove(number);
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    inquiries.entrySet().stream()
        .filter(entry -> entry.getValue().call.equals(call))
        .map(Map.Entry::getKey)
        .findFirst()
        .ifPresent(number -> forget(number));
  }
}
