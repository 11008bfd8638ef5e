package io.testudo.bench.micro;

import io.testudo.quorum.spi.Entropy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The steps of machines, without bytes, seals or a network. */
@State(Scope.Thread)
public class StepMicro {
  private final PingExchange ping = new PingExchange(Entropy.seeded(1));
  private final LockExchange lock = new LockExchange(Entropy.seeded(1));

  /** For JMH. */
  public StepMicro() {}

  /** Client and four servers, eight messages. */
  @Benchmark
  public int ping() {
    return ping.call();
  }

  /** Client and four servers: a lock that nobody else wants, acquired and released. */
  @Benchmark
  public int lockTurn() {
    return lock.turn();
  }
}
