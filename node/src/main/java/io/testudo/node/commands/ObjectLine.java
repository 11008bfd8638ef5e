package io.testudo.node.commands;

import com.google.common.base.Utf8;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.ValueReader;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.LargeMapLayout;
import io.testudo.ordering.objects.LogObject;
import io.testudo.ordering.objects.MapObject;
import io.testudo.ordering.objects.MapState;
import io.testudo.ordering.objects.QueueObject;
import io.testudo.ordering.objects.RegisterObject;
import io.testudo.ordering.objects.SeriesState;
import io.testudo.ordering.typed.ArchivedState;
import io.testudo.ordering.typed.ArchivedState.Known;
import io.testudo.ordering.typed.ArchivedState.Whole;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.ordering.typed.Life;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * An object as a line of JSON, and back. Bytes that are text are a string, others {@code
 * {"base64":"..."}}. A state of a type that is not known here is written as it is.
 */
final class ObjectLine {
  /** The types whose states are written in a form that people can read. */
  static final List<ObjectType<?>> TYPES =
      List.of(
          CounterObject.TYPE,
          RegisterObject.TYPE,
          MapObject.TYPE,
          QueueObject.TYPE,
          LogObject.TYPE,
          LargeMapLayout.TYPE);

  private static final String BASE64 = "base64";
  private static final String RAW = "raw";
  private static final String LARGE_MAP = "largeMap";
  private static final String TIME_TO_LIVE = "timeToLive";
  private static final String MILLIS = "millis";
  private static final String RENEWED = "renewed";
  private static final String ENDS_AT_MILLIS = "endsAtMillis";

  private ObjectLine() {}

  /** A line that is no object. */
  static final class MalformedLineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedLineException(String message) {
      super(message);
    }
  }

  /** The line, for what can be written down. */
  static JsonObject of(String name, long version, ArchivedState state) {
    JsonObject line = new JsonObject();
    line.addProperty("object", name);
    if (state instanceof Known<?> known) {
      Object value = known.state();
      line.addProperty(
          "type",
          ObjectKind.ofNumber(known.type().number()).map(ObjectKind::toString).orElse(LARGE_MAP));
      line.addProperty("version", version);
      write(known.life(), line);
      write(value, line);
    } else if (state instanceof Whole whole) {
      line.addProperty("type", RAW);
      line.addProperty("version", version);
      write(whole.life(), line);
      line.addProperty("typeNumber", whole.type());
      line.addProperty("state", base64(whole.bytes()));
    } else {
      throw new IllegalArgumentException("nothing can be written of " + state);
    }
    return line;
  }

  private static void write(Life life, JsonObject line) {
    if (life.ttlMillis() > 0) {
      JsonObject time = new JsonObject();
      time.addProperty(MILLIS, life.ttlMillis());
      time.addProperty(RENEWED, life.isRenewed());
      time.addProperty(ENDS_AT_MILLIS, life.endMillis());
      line.add(TIME_TO_LIVE, time);
    }
  }

  private static Life life(JsonObject line) {
    if (!line.has(TIME_TO_LIVE)) {
      return Life.ENDLESS;
    }
    JsonObject time = line.get(TIME_TO_LIVE).getAsJsonObject();
    return Life.until(
        new TimeToLive(
            Duration.ofMillis(number(required(time, MILLIS))),
            required(time, RENEWED).getAsBoolean()),
        number(required(time, ENDS_AT_MILLIS)));
  }

  private static void write(Object value, JsonObject line) {
    if (value instanceof Long number) {
      line.addProperty("value", number);
    } else if (value instanceof MapState map) {
      JsonArray entries = new JsonArray();
      map.forEach((key, held) -> entries.add(entry(map, key, held)));
      line.add("entries", entries);
    } else if (value instanceof SeriesState series) {
      line.addProperty("first", series.first());
      JsonArray elements = new JsonArray();
      series.from(series.first(), series.size()).forEach(each -> elements.add(json(each)));
      line.add("elements", elements);
    } else if (value instanceof Optional<?> present) {
      present.ifPresent(
          it -> {
            if (it instanceof LargeMapLayout layout) {
              line.addProperty("shards", layout.shards());
              line.addProperty("seedHex", "%016x%016x".formatted(layout.seed0(), layout.seed1()));
            } else {
              line.add("value", json((Bytes) it));
            }
          });
    }
  }

  private static JsonObject entry(MapState map, Bytes key, Bytes value) {
    JsonObject entry = new JsonObject();
    entry.add("key", json(key));
    entry.add("value", json(value));
    map.expiry(key).ifPresent(end -> entry.addProperty("expiresAtMillis", end.toEpochMilli()));
    return entry;
  }

  private static JsonElement json(Bytes value) {
    if (value.isUtf8()) {
      return new JsonPrimitive(value.toText());
    }
    JsonObject encoded = new JsonObject();
    encoded.addProperty(BASE64, base64(value));
    return encoded;
  }

  private static String base64(Bytes value) {
    return Base64.getEncoder().encodeToString(value.toByteArray());
  }

  /**
   * A line that was read.
   *
   * @param object empty if it is about the file as a whole
   * @param state as the object is to be restored; empty likewise
   * @param life until when it is there, which is part of the state
   * @param isEnd whether it is the last line of a file
   */
  record Parsed(String object, Bytes state, Life life, boolean isEnd) {}

  /**
   * Reads a line.
   *
   * @throws MalformedLineException if it cannot be
   */
  static Parsed parse(String text) {
    try {
      JsonObject line = object(text);
      if (!line.has("object")) {
        return new Parsed("", Bytes.EMPTY, Life.ENDLESS, endOf(line));
      }
      String name = ObjectLimits.checkName(line.get("object").getAsString());
      Life life = life(line);
      return new Parsed(name, life.around(state(line)), life, false);
    } catch (MalformedLineException e) {
      throw e;
    } catch (RuntimeException e) { // Of numbers, base64, limits: whatever it is, it is no object.
      throw new MalformedLineException(String.valueOf(e.getMessage()));
    }
  }

  private static JsonObject object(String text) {
    try {
      return JsonParser.parseString(text).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) { // Its words are for programmers.
      throw new MalformedLineException("it is no JSON object");
    }
  }

  private static boolean endOf(JsonObject line) {
    if (line.has("complete")) {
      return line.get("complete").getAsBoolean();
    }
    if (!line.has("export")) {
      throw new MalformedLineException("it has no field \"object\"");
    }
    if (line.get("format").getAsInt() != ObjectExportCommand.FORMAT) {
      throw new MalformedLineException(
          "it is of format %s, this version reads %s"
              .formatted(line.get("format"), ObjectExportCommand.FORMAT));
    }
    return false;
  }

  /** Without its end. */
  private static Bytes state(JsonObject line) {
    String type = required(line, "type").getAsString();
    return switch (type) {
      case RAW -> raw(line);
      case LARGE_MAP -> encoded(LargeMapLayout.TYPE, layout(line));
      case "counter" -> encoded(CounterObject.TYPE, number(required(line, "value")));
      case "register" ->
          encoded(
              RegisterObject.TYPE, Optional.ofNullable(line.get("value")).map(ObjectLine::bytes));
      case "map" -> encoded(MapObject.TYPE, map(required(line, "entries").getAsJsonArray()));
      case "queue" -> encoded(QueueObject.TYPE, series(line));
      case "log" -> encoded(LogObject.TYPE, series(line));
      default -> throw new MalformedLineException("there is no type '%s'".formatted(type));
    };
  }

  private static <S> Bytes encoded(ObjectType<S> type, S state) {
    type.checkSize(state);
    return new TypedModel<>(type).encode(new Legible<>(state));
  }

  private static Bytes raw(JsonObject line) {
    Bytes state = Bytes.wrap(Base64.getDecoder().decode(required(line, "state").getAsString()));
    long number = new ValueReader(state).readLong();
    if (number != number(required(line, "typeNumber"))) {
      throw new MalformedLineException(
          "its state is of the type with number %s, not %s"
              .formatted(number, line.get("typeNumber")));
    }
    return state;
  }

  private static Optional<LargeMapLayout> layout(JsonObject line) {
    if (!line.has("shards")) {
      return Optional.empty();
    }
    String seed = required(line, "seedHex").getAsString();
    if (seed.length() != 32) {
      throw new MalformedLineException("a seed has 32 hexadecimal digits");
    }
    return Optional.of(
        new LargeMapLayout(
            Math.toIntExact(number(line.get("shards"))),
            Long.parseUnsignedLong(seed.substring(0, 16), 16),
            Long.parseUnsignedLong(seed.substring(16), 16)));
  }

  private static MapState map(JsonArray entries) {
    MapState map = MapObject.TYPE.initial();
    for (JsonElement each : entries) {
      JsonObject entry = each.getAsJsonObject();
      Bytes key = bytes(required(entry, "key"));
      Bytes value = bytes(required(entry, "value"));
      map =
          entry.has("expiresAtMillis")
              ? map.with(key, value, Instant.ofEpochMilli(number(entry.get("expiresAtMillis"))))
              : map.with(key, value);
    }
    return map;
  }

  private static SeriesState series(JsonObject line) {
    List<Bytes> elements = new ArrayList<>();
    required(line, "elements").getAsJsonArray().forEach(each -> elements.add(bytes(each)));
    return SeriesState.of(number(required(line, "first")), elements);
  }

  private static Bytes bytes(JsonElement json) {
    if (json.isJsonObject()) {
      String encoded = required(json.getAsJsonObject(), BASE64).getAsString();
      return Bytes.wrap(Base64.getDecoder().decode(encoded));
    }
    String text = json.getAsString();
    int unused = Utf8.encodedLength(text); // Half a character would become another text.
    return Bytes.utf8(text);
  }

  /** Strictly: a number with a fraction is not cut off. */
  private static long number(JsonElement json) {
    return Long.parseLong(json.getAsString());
  }

  private static JsonElement required(JsonObject line, String field) {
    JsonElement value = line.get(field);
    if (value == null || value.isJsonNull()) {
      throw new MalformedLineException("it has no field \"%s\"".formatted(field));
    }
    return value;
  }
}
