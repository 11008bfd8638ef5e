package io.testudo.mutex.toy;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.protobuf.StringValue;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;

/**
 * Who loses gives back what it got and comes again some time later, so that nobody is sure of a
 * turn.
 *
 * @param careless whether servers let in whoever asks, which is wrong
 */
record ToyProtocol(LockTiming timing, boolean careless) implements LockProtocol {
  private static final int MAX_BYTES = 512;
  private static final int ASK_NUMBER = 16_000;
  private static final int ANSWER_NUMBER = 16_001;

  /**
   * Client to server: let me in, or let me stay, or take it back.
   *
   * @param attempt the fencing token, too
   * @param number of the request
   * @param leaseNanos 0 to give it back
   */
  record ToyAsk(String lock, long attempt, long number, long leaseNanos) implements Message {
    static ToyAsk of(Words words) {
      return new ToyAsk(words.lock(), words.number(1), words.number(2), words.number(3));
    }
  }

  /**
   * Server to client.
   *
   * @param owner the highest attempt that was let in; yours, if you are
   */
  record ToyAnswer(String lock, long attempt, long number, long owner) implements Message {
    static ToyAnswer of(Words words) {
      return new ToyAnswer(words.lock(), words.number(1), words.number(2), words.number(3));
    }
  }

  private record Words(List<String> all) {
    static Words of(StringValue text) {
      return new Words(Splitter.on(' ').limit(4).splitToList(text.getValue()));
    }

    static StringValue join(String lock, long one, long two, long three) {
      return StringValue.of("%d %d %d %s".formatted(one, two, three, lock));
    }

    String lock() {
      return all.get(3);
    }

    long number(int place) {
      return Long.parseLong(all.get(place - 1));
    }
  }

  private static final WireTypes TYPES =
      WireTypes.of(
          WireType.of(
              ASK_NUMBER,
              ToyAsk.class,
              MAX_BYTES,
              it -> Words.join(it.lock(), it.attempt(), it.number(), it.leaseNanos()),
              StringValue.parser(),
              text -> ToyAsk.of(Words.of(text))),
          WireType.of(
              ANSWER_NUMBER,
              ToyAnswer.class,
              MAX_BYTES,
              it -> Words.join(it.lock(), it.attempt(), it.number(), it.owner()),
              StringValue.parser(),
              text -> ToyAnswer.of(Words.of(text))));

  @Override
  public String name() {
    return "toy";
  }

  @Override
  public String description() {
    return "clients lock by a protocol that is made for a test";
  }

  @Override
  public ImmutableList<Need> needs() {
    return ImmutableList.of(SigmaProtocol.CRASHES);
  }

  @Override
  public WireTypes types() {
    return TYPES;
  }

  @Override
  public ToyProtocol withTiming(LockTiming other) {
    return new ToyProtocol(other, careless);
  }

  @Override
  public Thresholds thresholds(int servers, int byzantine, LockOptions.Servers asked) {
    return SigmaProtocol.CRASHES.thresholds(servers, SigmaProtocol.CRASHES.mostFaults(servers));
  }

  @Override
  public Machine<ServerId> clientMachine(Member member) {
    return new ToyClient(member.thresholds(), timing, member.entropy());
  }

  @Override
  public Machine<ClientId> serverMachine(LockScope scope, Entropy entropy) {
    return new ToyServer(timing, careless);
  }
}
