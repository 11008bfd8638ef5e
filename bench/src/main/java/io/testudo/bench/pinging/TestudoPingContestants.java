package io.testudo.bench.pinging;

import io.testudo.bench.measure.Contestant;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Testudo's own ping, in each mode in which connections show who they are. */
public final class TestudoPingContestants implements PingContestants {
  /** For {@link java.util.ServiceLoader}. */
  public TestudoPingContestants() {}

  @Override
  public List<String> modes() {
    return Arrays.stream(PingSecurity.values()).map(PingSecurity::word).toList();
  }

  @Override
  public Contestant start(String mode, PingSetup setup) throws IOException, InterruptedException {
    return TestudoContestant.start(PingSecurity.of(mode), setup);
  }
}
