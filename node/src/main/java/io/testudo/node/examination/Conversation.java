package io.testudo.node.examination;

import com.google.common.collect.ImmutableList;
import io.testudo.client.inquiry.Interviewer;
import io.testudo.client.inquiry.Interviewer.Heard;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.wire.WireTypes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

/** What one session of this client says to servers, and hears. */
final class Conversation implements AutoCloseable {
  private final NettyClient connections;
  private final ClientMachine machine;
  private final long patienceNanos;

  /**
   * Begins one.
   *
   * @param types what is said in it
   * @param patience how long an answer may take
   */
  Conversation(NettyClient connections, WireTypes types, Duration patience) {
    this.connections = connections;
    this.patienceNanos = patience.toNanos();
    ImmutableList.Builder<Class<? extends Message>> heard = ImmutableList.builder();
    heard.add(NoRight.class);
    types.all().stream()
        .filter(type -> Message.class.isAssignableFrom(type.type()))
        .forEach(type -> heard.add(type.type().asSubclass(Message.class)));
    this.machine = connections.start(new Interviewer(heard.build()), event -> {});
  }

  long session() {
    return connections.session();
  }

  Moment now() {
    return connections.now();
  }

  /** Empty if no answer came in time. */
  Optional<Heard> ask(ServerId server, Message question, Predicate<Message> isAnswer)
      throws InterruptedException {
    return call(new Interviewer.Ask(server, question, isAnswer, patienceNanos));
  }

  void say(ServerId server, Message message) throws InterruptedException {
    Boolean unused = call(new Interviewer.Say(server, message));
  }

  /** What servers have said so far without having been asked. */
  ImmutableList<Interviewer.Unasked> unasked() throws InterruptedException {
    return call(new Interviewer.AskUnasked());
  }

  private <R> R call(Call<R> call) throws InterruptedException {
    try {
      return machine.call(call).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void close() {
    machine.close();
  }
}
