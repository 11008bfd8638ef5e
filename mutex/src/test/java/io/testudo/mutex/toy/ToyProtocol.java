package io.testudo.mutex.toy;

import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableList;
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
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

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
  record ToyAsk(String lock, long attempt, long number, long leaseNanos) implements Message {}

  /**
   * Server to client.
   *
   * @param owner the highest attempt that was let in; yours, if you are
   */
  record ToyAnswer(String lock, long attempt, long number, long owner) implements Message {}

  private static final WireTypes TYPES =
      WireTypes.of(
          WireType.of(
              ASK_NUMBER,
              ToyAsk.class,
              MAX_BYTES,
              Schema.of(
                  string(1, ToyAsk::lock),
                  uint64(2, ToyAsk::attempt),
                  uint64(3, ToyAsk::number),
                  uint64(4, ToyAsk::leaseNanos),
                  ToyAsk::new)),
          WireType.of(
              ANSWER_NUMBER,
              ToyAnswer.class,
              MAX_BYTES,
              Schema.of(
                  string(1, ToyAnswer::lock),
                  uint64(2, ToyAnswer::attempt),
                  uint64(3, ToyAnswer::number),
                  uint64(4, ToyAnswer::owner),
                  ToyAnswer::new)));

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
