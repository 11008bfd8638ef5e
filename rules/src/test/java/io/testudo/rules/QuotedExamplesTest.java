package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What the pages show is what is compiled and run: a block of Java behind a comment with the name
 * of a file is the end of that example, from its imports or its description on.
 */
class QuotedExamplesTest {
  private static final SourceTree TREE = SourceTree.ofRunningTests();
  private static final Pattern QUOTE =
      Pattern.compile("<!-- (\\w+\\.java) -->\n```java\n(.*?)```", Pattern.DOTALL);

  /** A block of code on a page. */
  private record Quote(Path page, String file, String code) {}

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(TREE.root().resolve("README.md")));
    try (Stream<Path> docs = Files.list(TREE.root().resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  private static List<Quote> quotes() throws IOException {
    List<Quote> quotes = new ArrayList<>();
    for (Path page : pages()) {
      for (MatchResult found : QUOTE.matcher(Files.readString(page)).results().toList()) {
        quotes.add(new Quote(page, found.group(1), found.group(2)));
      }
    }
    return quotes;
  }

  private static List<Path> examples(String file) {
    return TREE.modules().stream()
        .flatMap(module -> TREE.testSources(module).stream())
        .filter(source -> source.endsWith(Path.of("examples", file)))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> showWhatIsCompiled() throws IOException {
    return quotes().stream()
        .map(
            quote ->
                DynamicTest.dynamicTest(
                    quote.page().getFileName() + " shows " + quote.file(), () -> check(quote)));
  }

  private static void check(Quote quote) throws IOException {
    List<Path> sources = examples(quote.file());
    assertThat(sources).hasSize(1);
    String source = Files.readString(sources.get(0));
    assertThat(source).endsWith("\n" + quote.code());
    assertThat(quote.code()).containsPattern("^(import|/\\*\\*)").endsWith("\n}\n");
  }

  /** A rule over nothing proves nothing. */
  @Test
  void findsTheExamplesOfTheReadme() throws IOException {
    assertThat(quotes())
        .filteredOn(quote -> quote.page().endsWith("README.md"))
        .extracting(Quote::file)
        .containsExactly("LockExample.java", "AccountExample.java");
  }
}
