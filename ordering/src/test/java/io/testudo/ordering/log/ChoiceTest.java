package io.testudo.ordering.log;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import io.testudo.crypto.Digest;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Replays the transcript of the choice rule. Each case is a test; where they differ, both show. */
class ChoiceTest {
  private static final String TRANSCRIPT = "transcripts/choice.txt";
  private static final String OBJECT = "o";
  private static final Pattern QUESTION =
      Pattern.compile("(choose|read|reread (\\d)@(\\d)) ([a-z-]+) n=(\\d) b=(\\d)");
  private static final Pattern REPORT =
      Pattern.compile("s(\\d)(?: nothing)?(?: proposed (\\w+@\\d))?(?: committed (\\w+@\\d))?");
  private static final Pattern STATEMENT = Pattern.compile("((\\d)[a-z])@(\\d)");

  /** One case, with the answer that the transcript gives. */
  private record Case(String meaning, String question, List<String> reports, String answer) {
    String text(String otherAnswer) {
      return Stream.concat(
              Stream.of("# " + meaning, question),
              Stream.concat(reports.stream(), Stream.of("----", otherAnswer)))
          .collect(joining("\n"));
    }
  }

  private static List<Case> cases() throws IOException {
    String all = Resources.toString(Resources.getResource(TRANSCRIPT), StandardCharsets.UTF_8);
    List<Case> cases = new ArrayList<>();
    for (String block : Splitter.on("\n\n").trimResults().split(all)) {
      List<String> lines = Splitter.on('\n').splitToList(block);
      int dashes = lines.indexOf("----");
      if (dashes > 0) {
        cases.add(
            new Case(
                lines.get(0).substring(2),
                lines.get(1),
                lines.subList(2, dashes),
                String.join("\n", lines.subList(dashes + 1, lines.size()))));
      }
    }
    return cases;
  }

  @TestFactory
  Stream<DynamicTest> answersAsInTheTranscript() throws IOException {
    return cases().stream()
        .map(
            it ->
                DynamicTest.dynamicTest(
                    it.meaning(),
                    () ->
                        assertThat(it.text(new Replay().of(it))).isEqualTo(it.text(it.answer()))));
  }

  @Test
  void theTranscriptHasEveryModeAndEveryAnswer() throws IOException {
    assertThat(cases().stream().map(it -> it.question() + " " + it.answer()).collect(joining("\n")))
        .contains("plain", "sealed-ranks", "sealed-statements", "choose", "read")
        .contains("complete", "go on from", "contradiction", "undecided", "initial state");
  }

  /** Asks the question of one case again. */
  private static final class Replay {
    private final Map<StateId, String> names =
        new HashMap<>(Map.of(StateId.genesis(OBJECT), "the initial state"));

    String of(Case it) {
      Matcher question = matched(QUESTION, it.question());
      Mode mode = Mode.valueOf(question.group(4).toUpperCase(Locale.ROOT).replace('-', '_'));
      Thresholds thresholds =
          mode.need()
              .thresholds(Integer.parseInt(question.group(5)), Integer.parseInt(question.group(6)));
      List<Choice.Told> told = it.reports().stream().map(this::told).toList();
      assertThat(told).as("reports of a quorum").hasSize(thresholds.quorum());
      if (question.group(2) != null) {
        Rank rank = new Rank(Long.parseLong(question.group(3)), 1);
        Choice.Target target =
            new Choice.Target(
                mode.sealsStatements() ? rank : Rank.NONE, Long.parseLong(question.group(2)));
        return Choice.reached(mode, thresholds, told, target)
            .map(state -> "read " + name(state))
            .orElse("undecided");
      }
      return question.group(1).equals("choose")
          ? choose(mode, thresholds, told)
          : read(mode, thresholds, told);
    }

    private String choose(Mode mode, Thresholds thresholds, List<Choice.Told> told) {
      return Choice.of(mode, thresholds, told)
          .map(
              choice ->
                  (choice.mustComplete() ? "complete " : "go on from ")
                      + name(choice.from().orElse(StateId.genesis(OBJECT))))
          .orElse("contradiction");
    }

    private String read(Mode mode, Thresholds thresholds, List<Choice.Told> told) {
      return Choice.settled(mode, thresholds, OBJECT, told)
          .map(state -> "read " + name(state))
          .orElseGet(
              () -> {
                Choice.Target target = Choice.target(mode, thresholds, told);
                String at = mode.sealsStatements() ? "@" + target.rank().time() : "";
                return "undecided, published %s, waits for %d%s"
                    .formatted(
                        name(Choice.published(mode, thresholds, OBJECT, told)),
                        target.version(),
                        at);
              });
    }

    private String name(StateId state) {
      return names.getOrDefault(state, "a state that nobody reported");
    }

    private Choice.Told told(String line) {
      Matcher report = matched(REPORT, line);
      return new Choice.Told(
          new ServerId(Integer.parseInt(report.group(1))),
          statement(report.group(2)),
          statement(report.group(3)));
    }

    private Optional<Statement> statement(@Nullable String text) {
      if (text == null) {
        return Optional.empty();
      }
      Matcher said = matched(STATEMENT, text);
      String name = said.group(1);
      Digest link = Digest.of(name.getBytes(StandardCharsets.UTF_8));
      StateId state = new StateId(Long.parseLong(said.group(2)), link);
      names.put(state, name);
      Rank rank = new Rank(Long.parseLong(said.group(3)), 1);
      return Optional.of(new Statement(rank, state, Optional.empty()));
    }

    private static Matcher matched(Pattern pattern, String text) {
      Matcher matcher = pattern.matcher(text);
      assertThat(matcher.matches()).as(text).isTrue();
      return matcher;
    }
  }
}
