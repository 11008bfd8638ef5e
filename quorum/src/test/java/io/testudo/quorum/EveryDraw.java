package io.testudo.quorum;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/** Runs a choice with every sequence of numbers it could draw: exact odds, no statistics. */
final class EveryDraw {
  private final List<Integer> drawn = new ArrayList<>();
  private final List<Integer> bounds = new ArrayList<>();
  private int position;

  private EveryDraw() {}

  /** Every result of the choice with its probability. */
  static Map<ServerSet, Double> oddsOf(Function<IntUnaryOperator, ServerSet> choice) {
    EveryDraw draws = new EveryDraw();
    Map<ServerSet, Double> odds = new LinkedHashMap<>();
    do {
      draws.position = 0;
      ServerSet result = choice.apply(draws::next);
      double probability = 1;
      for (int bound : draws.bounds) {
        probability /= bound;
      }
      odds.merge(result, probability, Double::sum);
    } while (draws.advance());
    return odds;
  }

  private int next(int bound) {
    if (position == drawn.size()) {
      drawn.add(0);
      bounds.add(bound);
    }
    return drawn.get(position++);
  }

  /** Moves on to the next sequence; false after the last. */
  private boolean advance() {
    while (!drawn.isEmpty()) {
      int last = drawn.size() - 1;
      int next = drawn.remove(last) + 1;
      int bound = bounds.remove(last);
      if (next < bound) {
        drawn.add(next);
        bounds.add(bound);
        return true;
      }
    }
    return false;
  }
}
