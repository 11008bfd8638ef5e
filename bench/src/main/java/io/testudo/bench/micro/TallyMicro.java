package io.testudo.bench.micro;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Tally;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Answers of all servers, of which one differs, counted until a majority agrees. */
@State(Scope.Thread)
public class TallyMicro {
  /** How many answer. */
  @Param({"4", "16"})
  public int servers;

  /** For JMH. */
  public TallyMicro() {}

  @Benchmark
  public Optional<Long> count() {
    Tally<Long> tally = new Tally<>(servers);
    for (ServerId server : ServerSet.firstN(servers)) {
      tally.add(server, server.index() == 0 ? 8L : 7L);
    }
    return tally.valueWith(servers - 1);
  }
}
