package io.testudo.bench.measure;

import com.google.common.collect.ImmutableList;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What one contestant reached in all rounds.
 *
 * @param otherCpuShare the median share of the machine that other processes took, where it is known
 */
public record Result(
    Contestant contestant,
    int rounds,
    Spread opsPerSecond,
    Spread p50Micros,
    Spread p99Micros,
    Spread maxMicros,
    OptionalDouble otherCpuShare) {

  static Result of(Contestant contestant, ImmutableList<MeasuredRound> rounds) {
    double[] shares =
        rounds.stream()
            .map(MeasuredRound::otherCpuShare)
            .flatMapToDouble(OptionalDouble::stream)
            .toArray();
    return new Result(
        contestant,
        rounds.size(),
        spread(rounds, Round::opsPerSecond),
        spread(rounds, round -> round.p50Nanos() / 1e3),
        spread(rounds, round -> round.p99Nanos() / 1e3),
        spread(rounds, round -> round.maxNanos() / 1e3),
        shares.length == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of(Spread.of(shares).median()));
  }

  private static Spread spread(
      ImmutableList<MeasuredRound> rounds, ToDoubleFunction<Round> figure) {
    return Spread.of(
        rounds.stream().mapToDouble(round -> figure.applyAsDouble(round.figures())).toArray());
  }

  /** A round and what other processes did meanwhile. */
  record MeasuredRound(Round figures, OptionalDouble otherCpuShare) {}
}
