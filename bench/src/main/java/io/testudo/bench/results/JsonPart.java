package io.testudo.bench.results;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of a file that somebody else may have written, and where in the file it stands. */
record JsonPart(JsonObject object, String place) {
  /** Longer texts than this were not written by a bench. */
  static final int MAX_TEXT = 4_096;

  private static final int MAX_ELEMENTS = 1_000_000;

  static JsonPart of(JsonElement element, String place) throws ResultsException {
    if (!element.isJsonObject()) {
      throw new ResultsException("%s is not an object".formatted(place));
    }
    return new JsonPart(element.getAsJsonObject(), place);
  }

  boolean has(String name) {
    return object.has(name);
  }

  String text(String name) throws ResultsException {
    return text(element(name), at(name));
  }

  @Nullable String textOrNull(String name) throws ResultsException {
    return has(name) ? text(name) : null;
  }

  private static String text(JsonElement element, String where) throws ResultsException {
    if (!element.isJsonPrimitive() || !element.getAsJsonPrimitive().isString()) {
      throw new ResultsException("%s is not a text".formatted(where));
    }
    String text = element.getAsString();
    if (text.length() > MAX_TEXT) {
      throw new ResultsException("%s is longer than %d".formatted(where, MAX_TEXT));
    }
    return text;
  }

  double number(String name) throws ResultsException {
    return number(element(name), at(name));
  }

  double numberOr(String name, double otherwise) throws ResultsException {
    return has(name) ? number(name) : otherwise;
  }

  @Nullable Double numberOrNull(String name) throws ResultsException {
    return has(name) ? (Double) number(name) : null;
  }

  private static double number(JsonElement element, String where) throws ResultsException {
    if (!element.isJsonPrimitive() || !element.getAsJsonPrimitive().isNumber()) {
      throw new ResultsException("%s is not a number".formatted(where));
    }
    double number = element.getAsDouble();
    if (!Double.isFinite(number)) {
      throw new ResultsException("%s is not finite".formatted(where));
    }
    return number;
  }

  boolean flag(String name) throws ResultsException {
    JsonElement element = element(name);
    if (!element.isJsonPrimitive() || !element.getAsJsonPrimitive().isBoolean()) {
      throw new ResultsException("%s is neither true nor false".formatted(at(name)));
    }
    return element.getAsBoolean();
  }

  JsonPart part(String name) throws ResultsException {
    return of(element(name), at(name));
  }

  ImmutableList<JsonPart> parts(String name) throws ResultsException {
    ImmutableList.Builder<JsonPart> parts = ImmutableList.builder();
    int number = 0;
    for (JsonElement element : list(name)) {
      parts.add(of(element, "%s[%d]".formatted(at(name), number++)));
    }
    return parts.build();
  }

  ImmutableDoubleArray numbers(String name) throws ResultsException {
    ImmutableDoubleArray.Builder numbers = ImmutableDoubleArray.builder();
    if (has(name)) {
      for (JsonElement element : list(name)) {
        numbers.add(number(element, at(name)));
      }
    }
    return numbers.build();
  }

  ImmutableMap<String, String> texts(String name) throws ResultsException {
    ImmutableMap.Builder<String, String> texts = ImmutableMap.builder();
    if (has(name)) {
      JsonPart part = part(name);
      for (Map.Entry<String, JsonElement> entry : part.object.entrySet()) {
        texts.put(entry.getKey(), text(entry.getValue(), part.at(entry.getKey())));
      }
    }
    return texts.buildOrThrow();
  }

  /** All of its fields, which are numbers. */
  ImmutableMap<String, Double> numbersByName() throws ResultsException {
    ImmutableMap.Builder<String, Double> numbers = ImmutableMap.builder();
    for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
      numbers.put(entry.getKey(), number(entry.getValue(), at(entry.getKey())));
    }
    return numbers.buildOrThrow();
  }

  private Iterable<JsonElement> list(String name) throws ResultsException {
    JsonElement element = element(name);
    if (!element.isJsonArray()) {
      throw new ResultsException("%s is not a list".formatted(at(name)));
    }
    if (element.getAsJsonArray().size() > MAX_ELEMENTS) {
      throw new ResultsException("%s has more than %d elements".formatted(at(name), MAX_ELEMENTS));
    }
    return element.getAsJsonArray();
  }

  private JsonElement element(String name) throws ResultsException {
    @Nullable JsonElement element = object.get(name);
    if (element == null) {
      throw new ResultsException("%s is missing".formatted(at(name)));
    }
    return element;
  }

  private String at(String name) {
    return place.isEmpty() ? name : place + "." + name;
  }
}
