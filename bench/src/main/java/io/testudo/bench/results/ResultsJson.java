package io.testudo.bench.results;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The file {@code results.json}. docs/bench-results.md is its description. */
public final class ResultsJson {
  public static final String FILE = "results.json";
  public static final String FORMAT = "testudo-bench-results";

  /** Readers refuse a later one; a field more does not make a version. */
  public static final int VERSION = 1;

  /** A hundred times what the largest bench writes. */
  static final long MAX_BYTES = 64L << 20;

  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().setPrettyPrinting().create();

  private ResultsJson() {}

  /** The text of the file. */
  public static String text(BenchResults results) {
    JsonObject root = new JsonObject();
    root.addProperty("format", FORMAT);
    root.addProperty("version", VERSION);
    root.add("runs", list(results.runs().stream().map(ResultsJson::tree).toList()));
    root.add("verdicts", list(results.verdicts().stream().map(ResultsJson::tree).toList()));
    root.add("cases", list(results.cases().stream().map(ResultsJson::tree).toList()));
    return GSON.toJson(root) + "\n";
  }

  /**
   * Reads the file, or the one in a folder.
   *
   * @throws ResultsException if it is not what a bench wrote
   */
  public static BenchResults read(Path fileOrFolder) throws IOException, ResultsException {
    Path file = Files.isDirectory(fileOrFolder) ? fileOrFolder.resolve(FILE) : fileOrFolder;
    if (!Files.isRegularFile(file)) {
      throw new ResultsException("%s: there is no %s".formatted(fileOrFolder, FILE));
    }
    if (Files.size(file) > MAX_BYTES) {
      throw new ResultsException("%s has more than %d bytes".formatted(file, MAX_BYTES));
    }
    try {
      return parse(Files.readString(file, UTF_8));
    } catch (ResultsException e) {
      throw new ResultsException("%s: %s".formatted(file, e.getMessage()), e);
    } catch (CharacterCodingException e) {
      throw new ResultsException("%s is not UTF-8".formatted(file), e);
    }
  }

  /**
   * The results that a text describes.
   *
   * @throws ResultsException if it is not what a bench wrote
   */
  public static BenchResults parse(String text) throws ResultsException {
    JsonElement tree;
    try {
      tree = JsonParser.parseString(text);
    } catch (JsonParseException e) {
      throw new ResultsException("it is no JSON", e);
    }
    if (!tree.isJsonObject()) {
      throw new ResultsException("it is JSON, but not results of the bench");
    }
    JsonPart root = JsonPart.of(tree, "");
    if (!root.has("format") || !root.text("format").equals(FORMAT)) {
      throw new ResultsException("it is JSON, but not results of the bench");
    }
    double version = root.number("version");
    if (version != VERSION) {
      throw new ResultsException(
          "it has version %.0f of the format, this bench knows %d".formatted(version, VERSION));
    }
    ImmutableList.Builder<RunFacts> runs = ImmutableList.builder();
    for (JsonPart part : root.parts("runs")) {
      runs.add(run(part));
    }
    ImmutableList.Builder<AimVerdict> verdicts = ImmutableList.builder();
    for (JsonPart part : root.parts("verdicts")) {
      verdicts.add(new AimVerdict(part.text("aim"), part.flag("reached"), part.text("measured")));
    }
    ImmutableList.Builder<ResultCase> cases = ImmutableList.builder();
    for (JsonPart part : root.parts("cases")) {
      cases.add(resultCase(part));
    }
    return new BenchResults(runs.build(), verdicts.build(), cases.build());
  }

  private static JsonObject tree(RunFacts run) {
    JsonObject tree = new JsonObject();
    tree.addProperty("command", run.command());
    tree.add("options", texts(run.options()));
    tree.addProperty("testudo", run.testudo());
    tree.addProperty("commit", run.commit());
    tree.addProperty("started", run.started());
    tree.addProperty("seconds", run.seconds());
    tree.addProperty("cores", run.cores());
    tree.addProperty("memoryMebibytes", run.memoryMebibytes());
    tree.addProperty("jvm", run.jvm());
    tree.addProperty("os", run.os());
    tree.addProperty("otherCpuShare", run.otherCpuShare());
    return withoutNulls(tree);
  }

  private static RunFacts run(JsonPart part) throws ResultsException {
    return new RunFacts(
        part.text("command"),
        part.texts("options"),
        part.text("testudo"),
        part.textOrNull("commit"),
        part.text("started"),
        part.number("seconds"),
        (int) part.number("cores"),
        (long) part.number("memoryMebibytes"),
        part.text("jvm"),
        part.text("os"),
        part.numberOrNull("otherCpuShare"));
  }

  private static JsonObject tree(AimVerdict verdict) {
    JsonObject tree = new JsonObject();
    tree.addProperty("aim", verdict.aim());
    tree.addProperty("reached", verdict.reached());
    tree.addProperty("measured", verdict.measured());
    return tree;
  }

  private static JsonObject tree(ResultCase one) {
    JsonObject tree = new JsonObject();
    tree.addProperty("bench", one.bench());
    tree.addProperty("case", one.name());
    tree.add("keys", texts(one.keys()));
    tree.add("conditions", texts(one.conditions()));
    tree.addProperty("virtual", one.virtual());
    tree.addProperty("otherCpuShare", one.otherCpuShare());
    tree.add("metrics", list(one.metrics().stream().map(ResultsJson::tree).toList()));
    if (one.timeline() != null) {
      tree.add("timeline", tree(one.timeline()));
    }
    return withoutNulls(tree);
  }

  private static JsonObject tree(Timeline timeline) {
    JsonObject tree = new JsonObject();
    tree.addProperty("label", timeline.label());
    tree.addProperty("firstSeconds", timeline.firstSeconds());
    tree.addProperty("secondsPerValue", timeline.secondsPerValue());
    JsonObject marks = new JsonObject();
    timeline.marks().forEach(marks::addProperty);
    tree.add("marks", marks);
    JsonArray values = new JsonArray();
    timeline.values().forEach(values::add);
    tree.add("values", values);
    return tree;
  }

  private static Timeline timeline(JsonPart part) throws ResultsException {
    return new Timeline(
        part.text("label"),
        part.number("firstSeconds"),
        part.number("secondsPerValue"),
        part.part("marks").numbersByName(),
        part.numbers("values"));
  }

  private static ResultCase resultCase(JsonPart part) throws ResultsException {
    ImmutableList.Builder<Metric> metrics = ImmutableList.builder();
    for (JsonPart metric : part.parts("metrics")) {
      metrics.add(metric(metric));
    }
    return new ResultCase(
        part.text("bench"),
        part.text("case"),
        part.texts("keys"),
        part.texts("conditions"),
        part.flag("virtual"),
        part.numberOrNull("otherCpuShare"),
        metrics.build(),
        part.has("timeline") ? timeline(part.part("timeline")) : null);
  }

  private static JsonObject tree(Metric metric) {
    JsonObject tree = new JsonObject();
    tree.addProperty("name", metric.name());
    tree.addProperty("unit", metric.unit());
    tree.addProperty("better", metric.better().word());
    tree.addProperty("value", metric.value());
    if (metric.hasSpread()) {
      tree.addProperty("low", metric.low());
      tree.addProperty("high", metric.high());
    }
    if (!metric.rounds().isEmpty()) {
      JsonArray rounds = new JsonArray();
      metric.rounds().forEach(rounds::add);
      tree.add("rounds", rounds);
    }
    tree.addProperty("deterministic", metric.deterministic());
    return tree;
  }

  private static Metric metric(JsonPart part) throws ResultsException {
    double value = part.number("value");
    String better = part.text("better");
    return new Metric(
        part.text("name"),
        part.text("unit"),
        Better.ofWord(better)
            .orElseThrow(
                () ->
                    new ResultsException(
                        "%s.better is %s, not higher, lower or neither"
                            .formatted(part.place(), better))),
        value,
        part.numberOr("low", value),
        part.numberOr("high", value),
        part.numbers("rounds"),
        part.flag("deterministic"));
  }

  private static JsonObject texts(Map<String, String> texts) {
    JsonObject tree = new JsonObject();
    texts.forEach(tree::addProperty);
    return tree;
  }

  private static JsonArray list(Iterable<? extends JsonElement> elements) {
    JsonArray list = new JsonArray();
    elements.forEach(list::add);
    return list;
  }

  private static JsonObject withoutNulls(JsonObject tree) {
    tree.entrySet().removeIf(entry -> isNull(entry.getValue()));
    return tree;
  }

  private static boolean isNull(@Nullable JsonElement element) {
    return element == null || element.isJsonNull();
  }
}
