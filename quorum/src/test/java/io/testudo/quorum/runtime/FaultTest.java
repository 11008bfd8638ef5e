package io.testudo.quorum.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.Incarnated;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Journal;
import io.testudo.quorum.spi.Ticker;
import io.testudo.quorum.spi.Transport;
import io.testudo.quorum.wire.StateCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a server's host does when its machine throws. */
class FaultTest {
  private static final ClientId ALICE = new ClientId("alice", 1, 1);
  private static final ClientId MALLORY = new ClientId("mallory", 2, 1);

  /** A record that no codec knows. */
  private record Unheard() implements StateRecord {}

  private record Tick() implements TimerKey {}

  /** Counts pings, and breaks on some of them after it has changed its state. */
  private final class Counter extends Machine<ClientId> {
    private long count;

    Counter() {
      onMessage(Ping.class, this::onPing);
      onTimer(
          Tick.class,
          tick -> {
            throw new IllegalStateException("ours");
          });
    }

    @Override
    protected void onStarted(List<StateRecord> recovered) {
      recovered.forEach(record -> count = ((Incarnated) record).incarnation());
      starts++;
    }

    private void onPing(ClientId from, Ping ping) {
      count++;
      persist(new Incarnated(count));
      send(from, new Pong(ping.nonce(), new ServerId(0), count, Incarnations.none(1)));
      if (ping.nonce() == THROW) {
        throw new ArithmeticException("a peer can do this");
      } else if (ping.nonce() == UNWRITABLE) {
        persist(new Unheard());
      } else if (ping.nonce() == ERROR) {
        throw new StackOverflowError("memory of some kind");
      } else if (ping.nonce() == TIMER) {
        setTimer(new Tick(), 1);
      }
    }
  }

  private static final long THROW = 101;
  private static final long UNWRITABLE = 102;
  private static final long ERROR = 103;
  private static final long TIMER = 104;

  private final List<byte[]> disk = new ArrayList<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private final List<Long> answers = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final List<Input<ClientId>> turnedAway = new ArrayList<>();
  private final List<Throwable> broken = new ArrayList<>();
  private final List<Runnable> alarms = new ArrayList<>();
  private int starts;

  private final Journal journal =
      new Journal() {
        @Override
        public List<byte[]> recover() {
          return List.copyOf(disk);
        }

        @Override
        public void recoverAgain(Consumer<List<byte[]>> then) {
          waiting.add(() -> then.accept(List.copyOf(disk)));
        }

        @Override
        public void append(byte[] record) {
          disk.add(record);
        }

        @Override
        public void whenDurable(Runnable then) {
          waiting.add(then);
        }

        @Override
        public void replaceAll(List<byte[]> snapshot) {
          throw new AssertionError();
        }

        @Override
        public long sizeBytes() {
          return 0;
        }
      };

  private final Host<ClientId> host =
      Host.restorable(
          new Counter(),
          Counter::new,
          new Transport<ClientId, Message>() {
            @Override
            public void send(ClientId to, Message message) {
              answers.add(((Pong) message).incarnation());
            }

            @Override
            public void flush() {}
          },
          Ledger.on(journal, new StateCodec(PingTypes.ALL)),
          new Ticker() {
            @Override
            public long nanos() {
              return 0;
            }

            @Override
            public long wallMillis() {
              return 0;
            }
          },
          new Alarm() {
            @Override
            public Ring after(long delayNanos, Runnable task) {
              alarms.add(task);
              return () -> alarms.remove(task);
            }
          },
          new HostListener<ClientId>() {
            @Override
            public void overloaded(Input<ClientId> input) {
              turnedAway.add(input);
            }

            @Override
            public void faulted(Input.Received<ClientId> input, RuntimeException fault) {
              faults.add(input.from().principal() + " " + fault.getClass().getSimpleName());
            }

            @Override
            public void broken(Throwable cause) {
              broken.add(cause);
            }
          });

  private void sync() {
    List<Runnable> ready = new ArrayList<>(waiting);
    waiting.clear();
    ready.forEach(Runnable::run);
  }

  private void receive(ClientId from, long nonce) {
    host.receive(from, new Ping(nonce, Incarnations.none(1)));
  }

  private void serveTwo() {
    host.start();
    receive(ALICE, 1);
    receive(ALICE, 2);
    sync();
    assertThat(answers).containsExactly(1L, 2L);
  }

  @Test
  void aMessageOnWhichTheMachineThrowsLeavesNoTrace() {
    serveTwo();
    receive(MALLORY, THROW);
    sync();
    receive(ALICE, 3);
    sync();
    assertThat(answers).as("counted on from before").containsExactly(1L, 2L, 3L);
    assertThat(faults).containsExactly("mallory ArithmeticException");
    assertThat(starts).isEqualTo(2);
    assertThat(broken).isEmpty();
  }

  @Test
  void aRecordThatCannotBeWrittenTakesTheWholeStepWithIt() {
    serveTwo();
    receive(MALLORY, UNWRITABLE);
    sync();
    assertThat(disk).as("not even the record before it").hasSize(2);
    receive(ALICE, 3);
    sync();
    assertThat(answers).containsExactly(1L, 2L, 3L);
    assertThat(broken).isEmpty();
  }

  @Test
  void whatWasPromisedBeforeStillGoesOutAndNothingIsTakenMeanwhile() {
    host.start();
    receive(ALICE, 1);
    receive(MALLORY, THROW);
    receive(ALICE, 2);
    assertThat(answers).isEmpty();
    sync();
    assertThat(answers).containsExactly(1L);
    assertThat(turnedAway).hasSize(1);
    receive(ALICE, 2);
    sync();
    assertThat(answers).containsExactly(1L, 2L);
  }

  @Test
  void timersOfTheMachineThatThrewAreVoid() {
    serveTwo();
    receive(ALICE, TIMER);
    sync();
    assertThat(alarms).hasSize(1);
    receive(MALLORY, THROW);
    assertThat(alarms).isEmpty();
  }

  @Test
  void anErrorEndsItAndNothingIsAcknowledgedAnyMore() {
    host.start();
    receive(ALICE, 1);
    receive(MALLORY, ERROR);
    sync();
    receive(ALICE, 2);
    sync();
    assertThat(broken).singleElement().isInstanceOf(StackOverflowError.class);
    assertThat(answers).isEmpty();
    assertThat(disk).hasSize(1);
    assertThat(host.isRunning()).isFalse();
  }

  @Test
  void whatThrowsOnATimerIsOurOwnFault() {
    serveTwo();
    receive(ALICE, TIMER);
    sync();
    alarms.get(0).run();
    assertThat(broken).singleElement().isInstanceOf(IllegalStateException.class);
    assertThat(host.isRunning()).isFalse();
  }

  @Test
  void aMachineThatCannotStartAnewEndsIt() {
    serveTwo();
    disk.add(new byte[] {127});
    receive(MALLORY, THROW);
    sync();
    assertThat(broken).singleElement().isInstanceOf(IllegalStateException.class);
  }
}
