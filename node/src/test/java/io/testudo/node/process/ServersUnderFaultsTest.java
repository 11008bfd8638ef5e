package io.testudo.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.junit.LeavesNoProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four server processes, shells that contend for a lock and count, and one server at a time that is
 * killed or stands still: nothing overlaps, no increment is lost, and everything goes on.
 */
class ServersUnderFaultsTest {
  @RegisterExtension final LeavesNoProcess leavesNoProcess = new LeavesNoProcess();

  @TempDir Path temporary;

  /** A restarted server grants nothing until what it may have granted is over: hold and window. */
  private static final long QUARANTINE_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);

  private static final long CAMPAIGN_NANOS = TimeUnit.SECONDS.toNanos(60);

  @Test
  void excludesAndGoesOnWhileOneServerIsKilledAndAnotherStopped() throws Exception {
    run(3, /* minNanos= */ 0);
  }

  @Test
  @Tag("campaign")
  void excludesAndGoesOnForAMinuteOfFaults() throws Exception {
    run(8, CAMPAIGN_NANOS);
  }

  private void run(int shellCount, long minNanos) throws Exception {
    try (Testudo testudo = new Testudo(temporary)) {
      ServerProcesses servers =
          ServerProcesses.start(
              testudo, temporary.resolve("cluster"), 4, "--byzantine", "1", "--max-hold", "2s");
      Shells shells =
          Shells.start(
              testudo, temporary.resolve("work"), servers.clientConfig("client"), shellCount);
      shells.awaitProgress(1);
      long startNanos = System.nanoTime();
      int next = 0;
      do {
        killOne(servers, shells, next, /* withPause= */ minNanos == 0);
        next = (next + 1) % 4;
        stopOne(servers, shells, next);
        next = (next + 1) % 4;
      } while (System.nanoTime() - startNanos < minNanos);
      shells.stop();
      assertThat(shells.failures()).isEmpty();
      assertThat(shells.overlaps()).isEmpty();
      assertThat(shells.count()).isEqualTo(shells.left()).isGreaterThan(4);
      // Each increment saw all others that came before it, and none was lost or done twice.
      assertThat(shells.increments())
          .isEqualTo(LongStream.rangeClosed(1, shells.increments().size()).boxed().toList());
      assertThat(shells.increments()).hasSizeGreaterThan(4);
      assertThat(read(testudo, servers.clientConfig("client")))
          .isEqualTo(Integer.toString(shells.increments().size()));
    }
  }

  private static String read(Testudo testudo, Path config)
      throws IOException, InterruptedException {
    Testudo.Run get =
        testudo.run("object", "get", "visits", "--type", "counter", "--config", config.toString());
    return get.out().strip();
  }

  /**
   * Kills a server and starts it again.
   *
   * @param withPause whether the shells are to cost nothing while it grants nothing
   */
  private static void killOne(ServerProcesses servers, Shells shells, int index, boolean withPause)
      throws IOException, InterruptedException {
    servers.kill(index);
    shells.awaitProgress(2);
    servers.restart(index);
    long restartNanos = System.nanoTime();
    shells.awaitProgress(1);
    if (withPause) {
      shells.pause();
    }
    Testudo.await(
        "the end of the quarantine", () -> System.nanoTime() - restartNanos > QUARANTINE_NANOS);
    if (withPause) {
      shells.goOn();
    }
  }

  private static void stopOne(ServerProcesses servers, Shells shells, int index)
      throws IOException, InterruptedException {
    servers.server(index).signal("STOP");
    try {
      shells.awaitProgress(2);
    } finally {
      servers.server(index).signal("CONT");
    }
    shells.awaitProgress(1);
  }
}
