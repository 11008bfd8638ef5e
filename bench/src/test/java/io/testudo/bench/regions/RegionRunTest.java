package io.testudo.bench.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.bench.CommandRunner;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Need;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RegionRunTest {
  private static final RegionMatrix MATRIX = RegionMatrix.standard();
  private static final Placement WORLD =
      Placement.of("world", List.of("washington", "frankfurt", "tokyo", "sao-paulo"), MATRIX);

  private final CommandRunner command = new CommandRunner("wide-area");

  private static RegionFigures lock(LockProtocol protocol, int clients, int sharers) {
    Need need = protocol.needs().get(0);
    return RegionRun.run(
        new RegionCase(
            protocol, null, need.thresholds(need.leastServers(1), 1), WORLD, clients, sharers),
        MATRIX,
        2);
  }

  @Test
  void aLockThatNobodyElseWantsTakesOneRoundTripToTheNearestQuorum() {
    for (LockProtocol protocol : LockProtocols.ALL.protocols()) {
      RegionFigures figures = lock(protocol, 22, 1);

      // Messages take up to a tenth longer than the published round trips.
      assertThat(figures.p50RatioToQuorum()).isBetween(1.0, 1.1);
      assertThat(figures.messages()).isBetween(8.0, 16.0);
      assertThat(figures.bytes()).isPositive();
    }
  }

  @Test
  void theSameComesOutEachTime() {
    LockProtocol protocol = LockProtocols.ALL.protocols().get(0);

    assertThat(lock(protocol, 11, 11).p99Millis()).isEqualTo(lock(protocol, 11, 11).p99Millis());
    assertThat(lock(protocol, 11, 11).p50Millis()).isGreaterThan(lock(protocol, 11, 1).p50Millis());
  }

  @ParameterizedTest
  @EnumSource
  void objectsTakeOneRoundTripIfStatementsAreSealedElseTwo(Mode mode) {
    RegionFigures figures =
        RegionRun.run(
            new RegionCase(
                null, mode, mode.need().thresholds(mode.need().leastServers(1), 1), WORLD, 22, 1),
            MATRIX,
            2);

    int trips = mode == Mode.SEALED_STATEMENTS ? 1 : 2;
    assertThat(figures.p50RatioToQuorum()).isBetween(1.0 * trips, 1.1 * trips);
  }

  @Test
  void theNearestQuorumIsThatOfTheRegion() {
    RegionMatrix matrix = RegionMatrix.parse("# x\nfrom,a,b,c\na,1,10,20\nb,12,1,30\nc,20,30,1\n");
    Placement placement = Placement.of("all", List.of("a", "b", "c"), matrix);

    assertThat(placement.quorumRoundTripMillis(matrix, 0, 3, 1)).isEqualTo(1);
    assertThat(placement.quorumRoundTripMillis(matrix, 0, 3, 2)).isEqualTo(11);
    assertThat(placement.quorumRoundTripMillis(matrix, 0, 4, 3)).isEqualTo(11);
    assertThat(matrix.longestMillis()).isEqualTo(30);
  }

  @Test
  void aTableThatIsNoneIsRefused() {
    for (String text :
        List.of(
            "", "from,a,b\na,1,2\n", "from,a\nb,1\n", "from,a\na,-1\n", "from,a,b\na,1\nb,1,2")) {
      assertThatThrownBy(() -> RegionMatrix.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void printsARowForEachProtocolAndMode() {
    assertThat(
            command.run(
                "--regions tokyo,osaka,sydney,dallas --clients 11 --sharers 1 --quick --json"))
        .describedAs(command.failure())
        .isZero();
    assertThat(command.rows())
        .extracting(
            row ->
                (row.has("backend") ? row.get("backend") : row.get("mode")).getAsString()
                    + " "
                    + row.get("servers").getAsInt())
        .containsExactly(
            "backoff 4", "sigma 4", "plain 7", "sealed-ranks 5", "sealed-statements 4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--regions atlantis             | There is no region atlantis: choose from dallas, toronto",
        "--placement moon               | --placement: there is no moon: choose from america",
        "--placement world --regions tokyo | Give --placement or --regions, not both",
        "--clients 0                    | --clients must be from 1 to 100,000",
        "--clients 5 --sharers 6        | --sharers must be from 1 to the number of clients, 5",
        "--byzantine 0                  | --byzantine must be from 1 to 5",
      })
  void refusesWhatItCannotMeasure(String arguments, String reason) {
    assertThat(command.run(arguments)).isEqualTo(1);
    assertThat(command.failure()).contains(reason);
  }
}
