package io.testudo.ordering.tla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The small models hold, and TLC notices each mistake in them. Numbers of states are those of
 * docs/tla.md: one that changes says that the model has changed, or explores less than it seems.
 */
class ModelsTest {
  /** Most of these searches are over before a better compiler would pay. */
  private static final List<String> QUICK =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final Model STATEMENTS = Model.of("Ordering", "sealed-statements");
  private static final Model RANKS = Model.of("Ordering", "sealed-ranks");
  private static final Model LOCK = Model.of("Backoff", "backoff");
  private static final Model ONE_SERVER = Model.of("Backoff", "backoff-one-server");

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
        arguments(STATEMENTS, 5_494),
        arguments(STATEMENTS.with("Ranks", 3).with("Versions", 1), 12_012),
        arguments(RANKS, 7_457),
        arguments(LOCK, 19_006),
        arguments(ONE_SERVER, 47_739));
  }

  @ParameterizedTest
  @MethodSource
  void holdsInEveryState(Model model, long states) throws IOException {
    Tlc.Result result = tlc.check(model);
    assertThat(result.isComplete()).as(result.output()).isTrue();
    assertThat(result.distinct()).isEqualTo(states);
  }

  static Stream<Arguments> rejectsTheMistake() {
    Model single = STATEMENTS.with("Versions", 1);
    Model three = ONE_SERVER.with("Requests", 1);
    Model two = ONE_SERVER.with("ClientOf", "OneTwo");
    return Stream.of(
        arguments(STATEMENTS.with("N", 3), "Agreement", 5),
        arguments(single.withBug("a rank used twice"), "Agreement", 12),
        arguments(STATEMENTS.withBug("a new rank and no report"), "Agreement", 10),
        arguments(single.withBug("a report does not record the rank"), "Agreement", 9),
        arguments(STATEMENTS.withBug("propose without the order"), "Agreement", 12),
        arguments(
            single.with("Ranks", 3).withBug("highest version ignoring rank"), "Agreement", 11),
        arguments(RANKS.with("N", 4), "Agreement", 9),
        arguments(RANKS.withBug("commit without the rank check"), "Agreement", 17),
        arguments(RANKS.withBug("a new rank and no report"), "Agreement", 17),
        arguments(RANKS.withBug("completed without -1"), "Agreement", 13),
        arguments(RANKS.withBug("vouching by b"), "Agreement", 13),
        arguments(RANKS.withBug("a report does not record the rank"), "Agreement", 13),
        arguments(
            RANKS.with("Ranks", 3).with("Versions", 1).withBug("vouching by state and rank"),
            "Agreement",
            17),
        arguments(LOCK.withBug("one grant less"), "Exclusion", 7),
        arguments(LOCK.with("N", 3).withBug("one grant less"), "Exclusion", 7),
        arguments(LOCK.withBug("hold counted from the return"), "Exclusion", 12),
        arguments(two.withBug("an echo newer than the grant"), "Exclusion", 12),
        arguments(two.withBug("a renewal that names and does not extend"), "Exclusion", 13),
        arguments(three.withBug("release by client only"), "Exclusion", 10),
        arguments(two.with("Restarts", 1).withBug("no quarantine"), "Exclusion", 8),
        arguments(two.withBug("a try below the last rank"), "FencesGrow", 9));
  }

  @ParameterizedTest
  @MethodSource
  void rejectsTheMistake(Model model, String invariant, long states) throws IOException {
    Tlc.Result result = tlc.check(model.checking(invariant));
    assertThat(result.violated()).as(result.output()).contains(invariant);
    assertThat(result.traceLength()).isEqualTo(states);
  }

  @Test
  void refusesModelsThatDoNotSayWhatTheySeemToSay() {
    assertThatThrownBy(() -> RANKS.with("Servers", 4)).hasMessageContaining("no constant");
    assertThatThrownBy(() -> RANKS.withBug("no such bug")).hasMessageContaining("no bug");
    assertThatThrownBy(() -> RANKS.checking("Exclusion")).hasMessageContaining("no invariant");
  }

  @Test
  void aSpecificationThatCannotBeReadIsNotTakenForOneThatHolds() throws IOException {
    Model half = new Model("half", "Ordering", "SPECIFICATION NoSuchThing\n");
    assertThat(tlc.check(half).isComplete()).isFalse();
  }
}
