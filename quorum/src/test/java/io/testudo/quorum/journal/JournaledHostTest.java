package io.testudo.quorum.journal;

import static io.testudo.quorum.journal.Script.IDENTITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Host;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Ticker;
import io.testudo.quorum.spi.Transport;
import io.testudo.quorum.wire.StateCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server machine on a real journal. */
class JournaledHostTest {
  private static final long GUARD_SECONDS = 120;
  private static final long SMALLEST_LOG_BYTES = 64 << 10;
  private static final ClientId ALICE = new ClientId("alice", 1, 1);
  private static final Alarm NO_ALARM = (delayNanos, task) -> () -> {};

  private static final Ticker STANDING =
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

  @TempDir private Path temporary;
  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final BlockingQueue<Message> sent = new LinkedBlockingQueue<>();

  @AfterEach
  void endLoop() {
    loop.shutdownNow();
  }

  private final Transport<ClientId, Message> transport =
      new Transport<>() {
        @Override
        public void send(ClientId to, Message message) {
          sent.add(message);
        }

        @Override
        public void flush() {}
      };

  private Pong answer() throws InterruptedException {
    return (Pong) sent.poll(GUARD_SECONDS, TimeUnit.SECONDS);
  }

  private Host<ClientId> start(FileJournal journal) throws Exception {
    Host<ClientId> host =
        new Host<>(
            new PingServer(new ServerId(0), 2),
            transport,
            Ledger.on(journal, new StateCodec(PingTypes.ALL), SMALLEST_LOG_BYTES),
            STANDING,
            NO_ALARM,
            cause -> sent.add(new Ping(-1, Incarnations.none(0))));
    loop.submit(host::start).get(GUARD_SECONDS, TimeUnit.SECONDS);
    return host;
  }

  @Test
  void remembersAcrossRestartsAndCompactsItsLog() throws Exception {
    Path directory = temporary.resolve("server");
    FileJournal.create(directory, IDENTITY);
    int pings = 5_000;
    for (int run = 1; run <= 4; run++) {
      try (FileJournal journal =
          FileJournal.open(directory, IDENTITY, loop, JournalOptions.defaults())) {
        Host<ClientId> host = start(journal);
        long known = (long) run * pings;
        for (int i = 0; i < pings; i++) {
          Ping ping = new Ping(i, Incarnations.of(0, known - pings + i + 1));
          loop.execute(() -> host.receive(ALICE, ping));
        }
        for (int i = 0; i < pings; i++) {
          Pong pong = answer();
          assertThat(pong.nonce()).isEqualTo(i);
          assertThat(pong.incarnation()).isEqualTo(run);
          assertThat(pong.witnessed().of(new ServerId(1))).isEqualTo(known - pings + i + 1);
        }
        loop.submit(host::stop).get(GUARD_SECONDS, TimeUnit.SECONDS);
      }
    }
    assertThat(Files.size(directory.resolve(LogStore.LOG)))
        .as("20,000 records of 40 bytes and more were written")
        .isLessThan(300_000);
  }
}
