package io.testudo.client.inquiry;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The client machine that says single things to single servers, and notes what it was told without
 * having asked. A question is put once: connections deliver a message once or not at all, so one
 * question has at most one answer.
 */
public final class Interviewer extends Machine<ServerId> {
  /** As much is kept that nobody asked for. */
  static final int MAX_UNASKED = 64;

  /** A client that asks for more at once has lost count. */
  static final int MAX_OPEN = 256;

  /**
   * Asks one server; the answer is empty if the time is over before one comes.
   *
   * @param isAnswer whether a message of that server answers this question
   */
  public record Ask(
      ServerId server, Message question, Predicate<Message> isAnswer, long timeoutNanos)
      implements Call<Optional<Heard>> {}

  /** An answer, and when it came. */
  public record Heard(Message message, Moment at) {}

  /** Says something that has no answer. */
  public record Say(ServerId server, Message message) implements Call<Boolean> {}

  /** What servers have said, so far, that answers no question. */
  public record AskUnasked() implements Call<ImmutableList<Unasked>> {}

  /** Said by a server without a question. */
  public record Unasked(ServerId server, Message message) {}

  private record Deadline(long number) implements TimerKey {}

  /** A question that was not answered; it stays open when nobody waits for it any more. */
  private static final class Open {
    final Ask ask;
    Optional<CallId<Optional<Heard>>> call;

    Open(CallId<Optional<Heard>> call, Ask ask) {
      this.call = Optional.of(call);
      this.ask = ask;
    }
  }

  private final Map<Long, Open> open = new LinkedHashMap<>();
  private final List<Unasked> unasked = new ArrayList<>();

  /** Makes a machine that hears these types. */
  public Interviewer(Collection<Class<? extends Message>> heard) {
    onCall(Ask.class, this::onAsk);
    onCall(Say.class, this::onSay);
    onCall(
        AskUnasked.class,
        (CallId<ImmutableList<Unasked>> id, AskUnasked call) ->
            complete(id, ImmutableList.copyOf(unasked)));
    onTimer(Deadline.class, this::onDeadline);
    heard.forEach(type -> onMessage(type, this::onAny));
  }

  private void onAsk(CallId<Optional<Heard>> id, Ask ask) {
    if (open.size() >= MAX_OPEN) {
      fail(id, new OverloadedException("questions in progress", MAX_OPEN));
      return;
    }
    open.put(id.number(), new Open(id, ask));
    send(ask.server(), ask.question());
    setTimer(new Deadline(id.number()), ask.timeoutNanos());
  }

  private void onSay(CallId<Boolean> id, Say say) {
    send(say.server(), say.message());
    complete(id, true);
  }

  private void onAny(ServerId from, Message message) {
    for (Map.Entry<Long, Open> each : open.entrySet()) {
      Open question = each.getValue();
      if (question.ask.server().equals(from) && question.ask.isAnswer().test(message)) {
        open.remove(each.getKey());
        cancelTimer(new Deadline(each.getKey()));
        question.call.ifPresent(id -> complete(id, Optional.of(new Heard(message, now()))));
        return;
      }
    }
    if (unasked.size() < MAX_UNASKED) {
      unasked.add(new Unasked(from, message));
    }
  }

  private void onDeadline(Deadline deadline) {
    Open question = open.get(deadline.number());
    if (question != null) {
      question.call.ifPresent(id -> complete(id, Optional.empty()));
      question.call = Optional.empty(); // An answer that is late was asked for all the same.
    }
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    Open question = open.get(call.number());
    if (question != null) {
      question.call = Optional.empty();
    }
  }
}
