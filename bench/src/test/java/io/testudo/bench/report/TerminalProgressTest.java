package io.testudo.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TerminalProgressTest {
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
  private long nowNanos;
  private final TerminalProgress progress =
      new TerminalProgress(new PrintStream(seen, true, UTF_8), () -> nowNanos, 0);

  private void pass(long seconds) {
    nowNanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void tellsWhatIsLeftByTheWeightOfWhatIsDone() {
    progress.expect(1);
    progress.expect(3);
    progress.begin("first: ", 1);
    assertThat(progress.remaining()).isEmpty();
    pass(10);
    progress.begin("second: ", 3);
    assertThat(progress.remaining()).isEqualTo(" (about 30 s left)");
    pass(15);
    progress.within(0.5);
    progress.accept("round 2");
    assertThat(progress.remaining()).isEqualTo(" (about 15 s left)");
    assertThat(seen.toString(UTF_8)).endsWith("second: round 2 (about 15 s left)");
  }

  @Test
  void longWaitsAreInMinutes() {
    progress.expect(10);
    progress.begin("", 1);
    pass(14);
    progress.begin("", 1);
    assertThat(progress.remaining()).isEqualTo(" (about 2 min 06 s left)");
  }

  @Test
  void guessesNothingFromAMoment() {
    progress.expect(1_000);
    progress.begin("", 1);
    pass(1);
    progress.begin("", 1);
    assertThat(progress.remaining()).isEmpty();
  }

  @Test
  void saysNothingWhereNobodyLooks() {
    TerminalProgress silent = new TerminalProgress(null, () -> nowNanos, 0);
    silent.expect(1);
    silent.begin("a", 1);
    silent.accept("b");
    silent.close();
    assertThat(seen.size()).isZero();
  }

  @Test
  void fitsIntoOneLineAndKeepsTheRemainingTime() {
    TerminalProgress narrow =
        new TerminalProgress(new PrintStream(seen, true, UTF_8), () -> nowNanos, 30);
    narrow.expect(2);
    narrow.begin("a long name of something", 1);
    assertThat(seen.toString(UTF_8)).endsWith("a long name of something");
    pass(10);
    narrow.begin("a long name of something", 1);
    assertThat(seen.toString(UTF_8)).endsWith("a long name (about 10 s left)");
  }
}
