package io.testudo.quorum.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.ServerView.Standing;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.spi.Entropy;
import org.jspecify.annotations.Nullable;

/**
 * A client that surveys four servers again and again, whatever happens to them, and notes the first
 * thing that must not be: a number that falls, a survey that fails, a suspicion of a correct
 * server.
 */
final class RestlessPinger implements CallListener<SurveyResult> {
  static final Thresholds FOUR = Need.PING.thresholds(4, 1);
  static final long RETRY_NANOS = 20_000_000L;

  /** Of a quorum, so that it goes on while one server is away. The time is a hang guard. */
  private static final Survey QUORUM = new Survey(Await.QUORUM, SECONDS.toNanos(120));

  private static final Survey ALL = new Survey(Await.ALL, SECONDS.toNanos(120));

  private final ClientMachine machine;
  private final long[] vouched = new long[FOUR.servers()];
  private long surveys;
  private boolean resting;
  private @Nullable String wrong;

  RestlessPinger(NettyClient client, long seed) {
    machine = client.start(new PingClient(FOUR, RETRY_NANOS, Entropy.seeded(seed)), this::told);
    machine.call(QUORUM, this);
  }

  /** What every server says now; waits for them all. */
  SurveyResult askAll() {
    return machine.call(ALL).join();
  }

  /** Waits until it has surveyed so many times more. */
  synchronized void awaitMore(int count) throws InterruptedException {
    long target = surveys + count;
    while (surveys < target && wrong == null) {
      wait();
    }
  }

  /** Ends its surveys and tells what went wrong, if anything. */
  synchronized @Nullable String rest() {
    resting = true;
    return wrong;
  }

  private synchronized void told(Event event) {
    note(event.toString());
  }

  @Override
  public synchronized void completed(SurveyResult result) {
    for (ServerView view : result.servers()) {
      ServerId server = view.server();
      if (view.standing() == Standing.FORGETFUL || view.vouched() < vouched[server.index()]) {
        note(server + " has forgotten a start: " + view + " after " + vouched[server.index()]);
      }
      vouched[server.index()] = view.vouched();
    }
    surveys++;
    notifyAll();
    if (!resting) {
      machine.call(QUORUM, this);
    }
  }

  @Override
  public synchronized void failed(TestudoException reason) {
    if (!resting) {
      note(reason.toString());
    }
  }

  private void note(String what) {
    if (wrong == null) {
      wrong = what;
    }
    notifyAll();
  }
}
