package io.testudo.ordering.tla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Proposals under way, followers that count acceptances, reads by target and lost memories: the
 * small models hold, and TLC notices each mistake. Numbers are those of docs/tla.md.
 */
class PipelineModelsTest {
  private static final List<String> QUICK =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final Model PIPELINE = Model.of("Pipeline", "pipeline");
  private static final Model SINGLE = PIPELINE.with("Versions", 1).with("Window", 1);
  private static final Model READ = PIPELINE.with("Reads", "TRUE");
  private static final Model LOSS = PIPELINE.with("Losses", 1);

  @TempDir private static Path directory;
  private static Tlc tlc;

  @BeforeAll
  static void start() throws IOException {
    tlc = Tlc.start(directory, QUICK);
  }

  @AfterAll
  static void end() {
    tlc.close();
  }

  static Stream<Arguments> holdsInEveryState() {
    return Stream.of(
        arguments(PIPELINE, 1_225),
        arguments(READ.with("Ranks", 1), 650),
        arguments(SINGLE.with("Reads", "TRUE"), 3_436),
        arguments(LOSS, 22_426));
  }

  @ParameterizedTest
  @MethodSource
  void holdsInEveryState(Model model, long states) throws IOException {
    Tlc.Result result = tlc.check(model);
    assertThat(result.isComplete()).as(result.output()).isTrue();
    assertThat(result.distinct()).isEqualTo(states);
  }

  static Stream<Arguments> rejectsTheMistake() {
    return Stream.of(
        arguments(PIPELINE.withBug("an inclusion believed from b+1"), "Agreement", 9),
        arguments(PIPELINE.withBug("accepted without what leads to it"), "ChosenIsHeld", 7),
        arguments(
            PIPELINE.with("Ranks", 3).withBug("pipelining across a rank change"), "Agreement", 11),
        arguments(READ.withBug("a read of the greatest version"), "ReadIsChosen", 12),
        arguments(READ.withBug("a read below its target"), "ReadIsFresh", 12),
        arguments(LOSS.withBug("restored by what was chosen before"), "Agreement", 17),
        arguments(SINGLE.withBug("a tenure that ends frees the rank"), "Agreement", 12),
        arguments(SINGLE.withBug("a displaced holder whatever its rank"), "Agreement", 12));
  }

  @ParameterizedTest
  @MethodSource
  void rejectsTheMistake(Model model, String invariant, long states) throws IOException {
    Tlc.Result result = tlc.check(model.checking(invariant));
    assertThat(result.violated()).as(result.output()).contains(invariant);
    assertThat(result.traceLength()).isEqualTo(states);
  }
}
