package io.testudo.quorum.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Need;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.ping.Incarnated;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.ping.Witnessed;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.spi.Journal;
import io.testudo.quorum.spi.Ticker;
import io.testudo.quorum.spi.Transport;
import io.testudo.quorum.wire.StateCodec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostTest {
  private static final ClientId ALICE = new ClientId("alice", 1, 1);
  private static final StateCodec CODEC = new StateCodec(PingTypes.ALL);

  /** Everything the host does to the outside, in order. */
  private final List<String> log = new ArrayList<>();

  private final List<Runnable> alarms = new ArrayList<>();
  private final ManualJournal journal = new ManualJournal();
  private final List<Throwable> broken = new ArrayList<>();

  /** A journal that becomes durable when the test says so. */
  private final class ManualJournal implements Journal {
    private List<byte[]> records = new ArrayList<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private int snapshots;
    private long sizeBytes;

    @Override
    public List<byte[]> recover() {
      return records;
    }

    @Override
    public void append(byte[] record) {
      records.add(record);
      sizeBytes += record.length;
      log.add("append");
    }

    @Override
    public void whenDurable(Runnable then) {
      waiting.add(then);
    }

    @Override
    public void replaceAll(List<byte[]> snapshot) {
      records = new ArrayList<>(snapshot);
      sizeBytes = records.stream().mapToLong(record -> record.length).sum();
      snapshots++;
    }

    @Override
    public long sizeBytes() {
      return sizeBytes;
    }

    void sync() {
      log.add("sync");
      List<Runnable> ready = new ArrayList<>(waiting);
      waiting.clear();
      ready.forEach(Runnable::run);
    }
  }

  private <P> Transport<P, Message> transport() {
    return new Transport<>() {
      @Override
      public void send(P to, Message message) {
        log.add("send " + (message instanceof Pong pong ? pong.nonce() : message));
      }

      @Override
      public void flush() {
        log.add("flush");
      }
    };
  }

  private final Ticker ticker =
      new Ticker() {
        @Override
        public long nanos() {
          return 0;
        }

        @Override
        public long wallMillis() {
          return 0;
        }
      };

  private boolean cancelsTooLate;

  private final Alarm alarm =
      (delayNanos, task) -> {
        alarms.add(task);
        return () -> {
          if (!cancelsTooLate) {
            alarms.remove(task);
          }
        };
      };

  private <P> Host<P> host(Machine<P> machine, Ledger ledger) {
    return new Host<>(machine, transport(), ledger, ticker, alarm, broken::add);
  }

  private Host<ClientId> pingServer() {
    return host(new PingServer(new ServerId(0), 2), Ledger.on(journal, CODEC));
  }

  private static Ping ping(long nonce, long... known) {
    return new Ping(nonce, Incarnations.of(known));
  }

  @Test
  void sendsNothingBeforeWhatItSpeaksOfIsDurable() {
    Host<ClientId> server = pingServer();
    server.start();
    server.receive(ALICE, ping(7, 0, 5));
    assertThat(log).containsExactly("append", "append");

    journal.sync();
    assertThat(log).containsExactly("append", "append", "sync", "send 7", "flush");
  }

  @Test
  void holdsBackAlsoAStepThatWroteNothingWhileEarlierRecordsAreUnderWay() {
    Host<ClientId> server = pingServer();
    server.start();
    server.receive(ALICE, ping(7, 0, 0));
    assertThat(log).as("the start is not durable yet").containsExactly("append");

    journal.sync();
    server.receive(ALICE, ping(8, 0, 0));
    assertThat(log)
        .as("nothing to wait for any more")
        .containsExactly("append", "sync", "send 7", "flush", "send 8", "flush");
  }

  @Test
  void givesAnswersInTheOrderOfTheSteps() {
    Host<ClientId> server = pingServer();
    server.start();
    server.receive(ALICE, ping(1, 0, 1));
    server.receive(ALICE, ping(2, 0, 0));
    server.receive(ALICE, ping(3, 0, 2));
    journal.sync();

    assertThat(log.stream().filter(line -> line.startsWith("send")))
        .containsExactly("send 1", "send 2", "send 3");
  }

  @Test
  void sendsNothingAfterAStopEvenIfTheDiskComesRound() {
    Host<ClientId> server = pingServer();
    server.start();
    server.receive(ALICE, ping(1, 0, 1));
    server.stop();
    journal.sync();
    server.receive(ALICE, ping(2, 0, 1));

    assertThat(log).doesNotContain("send 1", "send 2");
    assertThat(server.isRunning()).isFalse();
  }

  @Test
  void startsFromWhatTheJournalKept() {
    pingServer().start();
    PingServer again = new PingServer(new ServerId(0), 2);
    host(again, Ledger.on(journal, CODEC)).start();

    assertThat(again.incarnation()).isEqualTo(2);
  }

  @Test
  void replacesALogThatHasGrownLongByASnapshot() {
    Host<ClientId> server =
        host(new PingServer(new ServerId(0), 2), Ledger.on(journal, CODEC, 64 << 10));
    server.start();
    for (int i = 1; i <= 30_000; i++) {
      server.receive(ALICE, ping(i, 0, i));
      journal.sync();
    }
    assertThat(journal.snapshots).isPositive();
    assertThat(journal.sizeBytes()).isLessThan(100_000);

    PingServer again = new PingServer(new ServerId(0), 2);
    host(again, Ledger.on(journal, CODEC)).start();
    assertThat(again.snapshot())
        .containsExactly(new Incarnated(2), new Witnessed(new ServerId(1), 30_000));
  }

  @Test
  void turnsInputsAwayWhenTooMuchWaitsForTheDisk() {
    List<Input<ClientId>> turnedAway = new ArrayList<>();
    Host<ClientId> server =
        new Host<>(
            new PingServer(new ServerId(0), 2),
            transport(),
            Ledger.on(journal, CODEC),
            ticker,
            alarm,
            new HostListener<ClientId>() {
              @Override
              public void overloaded(Input<ClientId> input) {
                turnedAway.add(input);
              }

              @Override
              public void broken(Throwable cause) {
                broken.add(cause);
              }
            });
    server.start();
    for (int i = 0; i < Ledger.MAX_WAITING_STEPS; i++) {
      server.receive(ALICE, ping(i, 0, 0));
    }
    assertThat(turnedAway).hasSize(1);
    journal.sync();
    server.receive(ALICE, ping(1, 0, 0));
    assertThat(turnedAway).as("and takes them again after").hasSize(1);
    assertThat(broken).isEmpty();
  }

  @Test
  void stopsWhenTheMachineBreaksItsOwnInvariant() {
    Host<ClientId> server = pingServer();
    server.start();
    server.receive(ALICE, new Pong(1, new ServerId(0), 1, Incarnations.none(2)));

    assertThat(broken).singleElement().isInstanceOf(IllegalArgumentException.class);
    assertThat(server.isRunning()).isFalse();
  }

  @Test
  void stopsWhenAHalfWithoutAJournalPersists() {
    host(new PingServer(new ServerId(0), 2), Ledger.none()).start();
    assertThat(broken).singleElement().isInstanceOf(IllegalStateException.class);
  }

  /** What a caller hears. */
  private final class Hears implements CallListener<SurveyResult> {
    @Override
    public void completed(SurveyResult result) {
      log.add("completed");
    }

    @Override
    public void failed(TestudoException reason) {
      assertThat(reason).isInstanceOf(NoQuorumException.class);
      log.add("failed");
    }
  }

  private Host<ServerId> pingClient() {
    return host(new PingClient(Need.PING.thresholds(1, 0), 10, Entropy.seeded(1)), Ledger.none());
  }

  @Test
  void failsACallThroughItsTimerAndForgetsTheTimers() {
    Host<ServerId> client = pingClient();
    client.start();
    client.call(new Survey(Await.ALL, 100), new Hears());
    assertThat(alarms).hasSize(2);
    alarms.remove(1).run();

    assertThat(log).endsWith("failed");
    assertThat(alarms).isEmpty();
  }

  @Test
  void movesATimerThatIsSetAgain() {
    Host<ServerId> client = pingClient();
    client.start();
    client.call(new Survey(Await.ALL, 100), new Hears());
    alarms.remove(0).run();
    assertThat(alarms).as("the deadline, and the retry anew").hasSize(2);
  }

  @Test
  void ignoresAnAlarmThatWasCancelledTooLate() {
    cancelsTooLate = true;
    Host<ServerId> client = pingClient();
    client.start();
    client.call(new Survey(Await.ALL, 100), new Hears());
    alarms.get(0).run();
    int sent = log.size();
    alarms.get(0).run();
    assertThat(log).as("the first setting of the retry, once more").hasSize(sent);
    alarms.get(2).run();
    assertThat(log).as("its second setting").hasSizeGreaterThan(sent);
  }

  @Test
  void failsOpenCallsWhenItStops() {
    Host<ServerId> client = pingClient();
    client.start();
    List<TestudoException> reasons = new ArrayList<>();
    client.call(
        new Survey(Await.ALL, 100),
        new CallListener<SurveyResult>() {
          @Override
          public void completed(SurveyResult result) {}

          @Override
          public void failed(TestudoException reason) {
            reasons.add(reason);
          }
        });
    client.stop();
    assertThat(reasons).singleElement().isInstanceOf(ClosedException.class);
  }

  @Test
  void outlivesACallerThatThrows() {
    Host<ServerId> client = pingClient();
    client.start();
    List<Throwable> uncaught = new ArrayList<>();
    Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
    try {
      client.call(
          new Survey(Await.ALL, 100),
          new CallListener<SurveyResult>() {
            @Override
            public void completed(SurveyResult result) {}

            @Override
            public void failed(TestudoException reason) {
              throw new IllegalStateException("the caller's own fault");
            }
          });
      alarms.remove(1).run();
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(null);
    }
    assertThat(uncaught).hasSize(1);
    assertThat(broken).isEmpty();
    assertThat(client.isRunning()).isTrue();
  }

  @Test
  void saysNothingMoreOfACancelledCall() {
    Host<ServerId> client = pingClient();
    client.start();
    CallId<SurveyResult> call = client.call(new Survey(Await.ALL, 100), new Hears());
    client.cancel(call);
    client.cancel(call);

    assertThat(alarms).isEmpty();
    assertThat(log).doesNotContain("completed", "failed");
  }
}
