package io.testudo.bench.pinging;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Session;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A contestant without servers, found as real ones are. */
public final class FakePings implements PingContestants {
  static final String MODE = "fake";
  static final String FAILING_MODE = "fake-failing";

  static final List<PingSetup> STARTED = new CopyOnWriteArrayList<>();

  /** For the service loader. */
  public FakePings() {}

  @Override
  public ImmutableList<String> modes() {
    return ImmutableList.of(MODE, FAILING_MODE);
  }

  @Override
  public Contestant start(String mode, PingSetup setup) {
    STARTED.add(setup);
    return new Immediate(mode);
  }

  private record Immediate(String mode) implements Contestant {
    @Override
    public String system() {
      return "testudo";
    }

    @Override
    public Session open(int clients) {
      return new ImmediateSession(mode.equals(FAILING_MODE));
    }

    @Override
    public void close() {}
  }

  private static final class ImmediateSession implements Session {
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final boolean fails;

    ImmediateSession(boolean fails) {
      this.fails = fails;
    }

    @Override
    public void start(int client, Completion completion) {
      loop.execute(
          () -> {
            if (fails) {
              completion.failed(new IllegalStateException("no quorum answers"));
            } else {
              completion.done();
            }
          });
    }

    @Override
    public void close() {
      loop.shutdown();
    }
  }
}
