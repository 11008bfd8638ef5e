package io.testudo.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.Maps;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.PeerWork.Kind;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.driver.PeerWork.Use;
import io.testudo.bench.measure.BenchClock;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.peers.PeerColumn.Cell;
import io.testudo.bench.peers.PeerRun.Patience;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs of drivers that obey, die, hang or talk nonsense. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PeerRunTest {
  private static final Plan PLAN = new Plan(2, 10_000_000, 1_000_000);
  private static final PeerWork COUNTING =
      new PeerWork(Kind.INCREMENT, Use.BLOCKING, Sharing.SEPARATE, 2, 1);

  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  @TempDir private Path parent;

  private final DriverCommands commands = new DriverCommands(Path.of("none"), program -> false);
  private final List<String> troubles = new ArrayList<>();
  private Map<Peer, String> started = Map.of();

  private PeerRun run(RunGuard guard) {
    return new PeerRun(
        PLAN,
        Patience.standard(),
        guard,
        OtherLoad.ofThisMachine(),
        new Remaining(BenchClock.system(), 1),
        TimeBudget.unlimited(),
        shown -> {},
        troubles::add);
  }

  private List<Cell> measure(Peer... peers) throws IOException, InterruptedException {
    try (RunGuard guard = RunGuard.in(parent)) {
      PeerRun run = run(guard);
      started = run.start(Maps.toMap(List.of(peers), commands::command));
      run.warmUp(List.of(COUNTING), 1);
      List<Cell> cells = new ArrayList<>(run.measure(COUNTING).cells());
      cells.addAll(run.measure(COUNTING).cells());
      return cells;
    }
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void goesOnWithTheOthersIfOneDies() throws Exception {
    List<Cell> cells =
        measure(FakePeers.driven("sound", "none"), FakePeers.driven("mortal", "dies-at", "close"));
    // It dies in the end of the warm-up, and is asked no more.
    assertThat(cells).extracting(cell -> cell.peer().name()).containsExactly("sound", "sound");
    assertThat(cells).allMatch(cell -> cell.rate() > 0 && cell.failure() == null);
    assertThat(troubles)
        .singleElement()
        .asString()
        .isEqualTo(
            "mortal ended with 7, and did not answer 'close'; it said: these are my last words");
    assertNothingIsLeft();
  }

  @Test
  void asksNoMoreOfOneThatTalksNonsense() throws Exception {
    List<Cell> cells =
        measure(
            FakePeers.driven("babbler", "babbles-at", "open"),
            FakePeers.driven("miscounter", "miscounts-at", "run"));
    assertThat(cells).isEmpty();
    assertThat(troubles)
        .hasSize(2)
        .anyMatch(trouble -> trouble.startsWith("babbler answered 'forty-two' to 'open increment"))
        .anyMatch(trouble -> trouble.startsWith("miscounter answered 'many' to 'run 1000000'"));
    assertNothingIsLeft();
  }

  @Test
  void tellsOfOneThatBreaksItsPromiseAndAsksItAgain() throws Exception {
    List<Cell> cells = measure(FakePeers.driven("forgetful", "lost-increment"));
    assertThat(cells)
        .hasSize(2)
        .allMatch(cell -> cell.result() == null)
        .allMatch(cell -> cell.failure() != null && cell.failure().contains("were answered, and"));
    assertThat(troubles).hasSizeGreaterThan(2); // In the warm-up, too.
    assertNothingIsLeft();
  }

  @Test
  void leavesOutOneThatDoesNotStart() throws Exception {
    List<Cell> cells = measure(FakePeers.driven("stillborn", "dies-at", "start"));
    assertThat(started).isEmpty();
    assertThat(cells).isEmpty();
    assertThat(troubles).singleElement().asString().startsWith("stillborn ended with 7");
    assertNothingIsLeft();
  }

  @Test
  void endsOneThatHangsWithAllThatItStarted() throws Exception {
    try (RunGuard guard = RunGuard.in(parent)) {
      DriverProcess hanging =
          guard.launch(
              "hanging", commands.command(FakePeers.driven("hanging", "hangs-at", "close")));
      assertThat(hanging.tell("start x", PeerDriver.READY, Duration.ofMinutes(1)))
          .isEqualTo("Fake");
      assertThat(processes.started()).hasSize(1);
      assertThatThrownBy(() -> hanging.tell("close", PeerDriver.CLOSED, Duration.ofSeconds(2)))
          .isInstanceOfSatisfying(
              DriverException.class, failure -> assertThat(failure.isOver()).isTrue())
          .hasMessage("hanging did not answer 'close' within 2 s");
      assertThat(processes.started()).isEmpty();
    }
    assertNothingIsLeft();
  }

  @Test
  void leavesNothingBehindIfItIsBrokenOff() throws Exception {
    List<ProcessHandle> all;
    try (RunGuard guard = RunGuard.in(parent)) {
      Peer sound = FakePeers.driven("sound", "none");
      assertThat(run(guard).start(Map.of(sound, commands.command(sound))))
          .containsEntry(sound, "Fake 1.0");
      all = ProcessHandle.current().descendants().toList();
      assertThat(all).hasSizeGreaterThanOrEqualTo(2); // The driver and its server.
    }
    assertThat(all).noneMatch(ProcessHandle::isAlive);
    assertNothingIsLeft();
  }
}
