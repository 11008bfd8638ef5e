package io.testudo.ordering.tla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The larger models, and mistakes that take long to find. How to run it: docs/tla.md. */
@Tag("campaign")
class ModelsCampaignTest {
  private static final List<String> LONG = List.of("-Xmx1g", "-XX:+UseSerialGC");

  private static final Model PLAIN = Model.of("Ordering", "plain");
  private static final Model RANKS = Model.of("Ordering", "sealed-ranks");
  private static final Model PIPELINE = Model.of("Pipeline", "pipeline");
  private static final Model LOSSES = PIPELINE.with("Losses", 2);
  private static final Model LOCK = Model.of("Backoff", "backoff");
  private static final Model ONE_SERVER = Model.of("Backoff", "backoff-one-server");

  @TempDir private static Path directory;
  private static Tlc tlc;

  @BeforeAll
  static void start() throws IOException {
    tlc = Tlc.start(directory, LONG);
  }

  @AfterAll
  static void end() {
    tlc.close();
  }

  static Stream<Arguments> holdsInEveryState() {
    return Stream.of(
        arguments(PLAIN, 184_694),
        arguments(RANKS.with("Ranks", 3).with("Versions", 1), 41_446),
        arguments(RANKS.with("Ranks", 3), 578_442),
        arguments(PIPELINE.with("Ranks", 3), 65_719),
        arguments(PIPELINE.with("Reads", "TRUE"), 61_148),
        arguments(LOSSES, 89_432),
        arguments(LOCK.with("Restarts", 1), 163_541),
        arguments(LOCK.with("ClientOf", "OneTwoOne"), 251_153),
        arguments(ONE_SERVER.with("ClientOf", "OneTwoOne").with("Restarts", 1), 211_711));
  }

  @ParameterizedTest
  @MethodSource
  void holdsInEveryState(Model model, long states) throws IOException {
    Tlc.Result result = tlc.check(model);
    assertThat(result.isComplete()).as(result.output()).isTrue();
    assertThat(result.distinct()).isEqualTo(states);
  }

  static Stream<Arguments> rejectsTheMistake() {
    Model single = RANKS.with("Versions", 1);
    return Stream.of(
        arguments(PLAIN.with("N", 6), "Agreement", 13),
        arguments(
            PIPELINE
                .with("Ranks", 4)
                .with("Versions", 1)
                .with("Window", 1)
                .withBug("words of different ranks count together"),
            "Agreement",
            17),
        arguments(LOSSES.withBug("a second loss restored by the first"), "Agreement", 19),
        arguments(LOSSES.withBug("restored for an earlier loss"), "Agreement", 19),
        arguments(single.withBug("a rank used twice"), "Agreement", 18),
        arguments(RANKS.withBug("propose without the order"), "Agreement", 20),
        arguments(
            single.with("Ranks", 3).withBug("highest version ignoring rank"), "Agreement", 17));
  }

  @ParameterizedTest
  @MethodSource
  void rejectsTheMistake(Model model, String invariant, long states) throws IOException {
    Tlc.Result result = tlc.check(model.checking(invariant));
    assertThat(result.violated()).as(result.output()).contains(invariant);
    assertThat(result.traceLength()).isEqualTo(states);
  }
}
