package io.testudo.node.commands;

import com.google.common.collect.ImmutableMap;
import io.testudo.ordering.objects.LargeMapLayout;
import java.util.Map;

/** The types of objects that come with Testudo, by their numbers. */
final class TypeNames {
  private static final ImmutableMap<Integer, String> RECIPES =
      ImmutableMap.of(
          10, "semaphore", 11, "read-write lock", 12, "barrier", 13, "latch", 14, "sequence");

  private static final String LARGE_MAP = "large map";

  private TypeNames() {}

  /** For people; a number for types of applications, and a dash if nobody knows. */
  static String of(int number) {
    if (number == 0) {
      return "-";
    }
    if (number == LargeMapLayout.TYPE.number()) {
      return LARGE_MAP;
    }
    return ObjectKind.ofNumber(number)
        .map(ObjectKind::toString)
        .orElseGet(() -> RECIPES.getOrDefault(number, "type " + number));
  }

  /** Those of recipes, for checks. */
  static Map<Integer, String> recipes() {
    return RECIPES;
  }
}
