package io.testudo.ordering.sim.scope;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Ways to give the names of correct servers to one another. */
final class Renamings {
  /** If servers can be put into order in more ways, only one of them is looked at. */
  private static final int MAX_WAYS = 24;

  private Renamings() {}

  /** Ways to rename servers so that their states are in order: the new name of each. */
  static List<int[]> sorting(int[] states) {
    int[] byState =
        IntStream.range(0, states.length)
            .boxed()
            .sorted((one, other) -> Integer.compare(states[one], states[other]))
            .mapToInt(Integer::intValue)
            .toArray();
    List<int[]> ways = new ArrayList<>();
    int[] names = new int[states.length];
    place(states, byState, 0, 0, names, ways);
    return ways.size() > MAX_WAYS ? ways.subList(0, 1) : ways;
  }

  /** Gives the name {@code next} to each of those that may have it, and goes on. */
  private static void place(
      int[] states, int[] byState, int next, int placed, int[] names, List<int[]> ways) {
    if (next == states.length) {
      ways.add(names.clone());
      return;
    }
    for (int server : byState) {
      boolean mayBe = (placed & 1 << server) == 0 && states[server] == states[byState[next]];
      if (mayBe && ways.size() <= MAX_WAYS) {
        names[server] = next;
        place(states, byState, next + 1, placed | 1 << server, names, ways);
      }
    }
  }

  /** What a server is called; liars keep their names. */
  static int rename(int[] names, int server) {
    return server < names.length ? names[server] : server;
  }

  /** The names as one number. */
  static int code(int[] names) {
    int code = 0;
    for (int name : names) {
      code = code << 3 | name;
    }
    return code;
  }
}
