package io.testudo.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Session;
import io.testudo.bench.measure.Spread;
import io.testudo.node.JsonLines;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BenchRowTest {
  private static final MachineFacts MACHINE =
      new MachineFacts(2, 4_096, "17.0.1", "Linux 6 amd64", "epoll");
  private static final BenchCase CASE =
      new BenchCase("ping", "ping", 4, 1, 64, 2.0, "closed", null, "shared", 3);

  private record Named(String system, String mode) implements Contestant {
    @Override
    public Session open(int clients) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private static Result result(String system, String mode, double ops, double share) {
    return new Result(
        new Named(system, mode),
        5,
        new Spread(ops, ops - 10, ops + 10.26),
        new Spread(120.04, 100, 150),
        new Spread(900, 800, 1_000),
        new Spread(2_000, 1_500, 3_000),
        share < 0 ? OptionalDouble.empty() : OptionalDouble.of(share));
  }

  @Test
  void hasTheFieldsOfTheContractInTheirOrder() {
    BenchRow row =
        BenchRow.of(
            CASE,
            result("testudo", "hmac", 75_000, 0.0123),
            result("floor", "floor", 100_000, 0),
            MACHINE);

    assertThat(JsonLines.line(row))
        .isEqualTo(
            "{\"bench\":\"ping\",\"case\":\"ping\",\"system\":\"testudo\",\"mode\":\"hmac\","
                + "\"servers\":4,\"byzantine\":1,\"clients\":64,\"opsPerSecond\":75000.0,"
                + "\"p50Micros\":120.0,\"p99Micros\":900.0,\"floorOpsPerSecond\":100000.0,"
                + "\"floorP50Micros\":120.0,\"opsRatioToFloor\":0.75,\"p50RatioToFloor\":1.0,"
                + "\"opsPerSecondLow\":74990.0,\"opsPerSecondHigh\":75010.3,"
                + "\"p50MicrosLow\":100.0,\"p50MicrosHigh\":150.0,\"p99MicrosLow\":800.0,"
                + "\"p99MicrosHigh\":1000.0,\"rounds\":5,\"secondsPerRound\":2.0,"
                + "\"loop\":\"closed\",\"connections\":\"shared\",\"answersAwaited\":3,"
                + "\"otherCpuShare\":0.012,\"cores\":2,\"memoryMebibytes\":4096,"
                + "\"jdk\":\"17.0.1\",\"os\":\"Linux 6 amd64\",\"transport\":\"epoll\"}");
  }

  @Test
  void leavesOutWhatDoesNotApply() {
    String line =
        JsonLines.line(BenchRow.of(CASE, result("floor", "floor", 100, -1), null, MACHINE));
    assertThat(line)
        .doesNotContain(
            "floorOps", "floorP50", "RatioToFloor", "otherCpuShare", "backend", "offered");
  }

  @Test
  void hasNoRatioToAFloorThatDidNothing() {
    BenchRow row =
        BenchRow.of(
            CASE, result("testudo", "hmac", 100, 0), result("floor", "floor", 0, 0), MACHINE);
    assertThat(row.opsRatioToFloor()).isNull();
    assertThat(row.p50RatioToFloor()).isEqualTo(1.0);
  }

  @Test
  void alignsTheTable() {
    Result floor = result("floor", "floor", 140_000, 0);
    String own = BenchTable.line(BenchRow.of(CASE, floor, null, MACHINE));
    String other =
        BenchTable.line(BenchRow.of(CASE, result("testudo", "hmac", 70_000, 0), floor, MACHINE));

    String heading = BenchTable.heading();
    assertThat(other).hasSameSizeAs(heading).contains("testudo hmac", "70,000").endsWith("1.00");
    assertThat(other).contains("0.50");
    assertThat(own).contains(" floor ", "(139,990 .. 140,010)").endsWith("900.0");
    assertThat(own.indexOf("900.0")).isEqualTo(other.indexOf("900.0"));
  }

  @Test
  void warnsAboveATenthOfTheMachine() {
    assertThat(warning(0.10)).isNull();
    assertThat(warning(-1)).isNull();
    assertThat(warning(0.25))
        .isEqualTo(
            "warning: other processes took 25 % of the machine during testudo hmac (4 servers, 64"
                + " clients): measure again when it is quiet");
  }

  private static @Nullable String warning(double share) {
    return BenchTable.warning(
        BenchRow.of(CASE, result("testudo", "hmac", 100, share), null, MACHINE));
  }
}
