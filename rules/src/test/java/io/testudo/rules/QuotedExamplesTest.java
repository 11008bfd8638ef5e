package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What the pages show is what is compiled and run: a block of Java behind a comment with the name
 * of a file is the end of that example, from its imports or its description on. If the comment
 * names a region, too, as in {@code Cookbook.java#leader}, it is what stands there between the
 * lines {@code // [leader]} and {@code // [end]}, without its indentation. Examples of other
 * libraries are compiled with the drivers of these, in {@code peers}.
 */
class QuotedExamplesTest {
  private static final SourceTree TREE = SourceTree.ofRunningTests();
  private static final Pattern QUOTE =
      Pattern.compile("<!-- (\\w+\\.java)(?:#([\\w-]+))? -->\n```java\n(.*?)```", Pattern.DOTALL);

  /**
   * A block of code on a page.
   *
   * @param region null for the whole file
   */
  private record Quote(Path page, String file, @Nullable String region, String code) {}

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
        quotes.add(new Quote(page, found.group(1), found.group(2), found.group(3)));
      }
    }
    return quotes;
  }

  private static List<Path> examples(String file) {
    return Stream.concat(
            TREE.modules().stream().flatMap(module -> TREE.testSources(module).stream()),
            SourceTree.javaBelow(TREE.module("peers")).stream())
        .filter(source -> source.endsWith(Path.of("examples", file)))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> showWhatIsCompiled() throws IOException {
    return quotes().stream()
        .map(
            quote ->
                DynamicTest.dynamicTest(
                    "%s shows %s %s"
                        .formatted(
                            quote.page().getFileName(),
                            quote.file(),
                            quote.region() == null ? "" : quote.region()),
                    () -> check(quote)));
  }

  private static void check(Quote quote) throws IOException {
    List<Path> sources = examples(quote.file());
    assertThat(sources).hasSize(1);
    String source = Files.readString(sources.get(0));
    if (quote.region() != null) {
      assertThat(quote.code()).isEqualTo(region(source, quote.region()));
      return;
    }
    assertThat(source).endsWith("\n" + quote.code());
    assertThat(quote.code()).containsPattern("^(import|/\\*\\*)").endsWith("\n}\n");
  }

  private static String region(String source, String name) {
    Matcher matcher =
        Pattern.compile("// \\[%s\\]\n(.*?)\n *// \\[end\\]".formatted(name), Pattern.DOTALL)
            .matcher(source);
    assertThat(matcher.find()).as("region %s", name).isTrue();
    return matcher.group(1).stripTrailing().stripIndent().strip() + "\n";
  }

  /** What nobody reads is not kept up to date for long. */
  @Test
  void showEveryRegionOfTheCookbook() throws IOException {
    Pattern opening = Pattern.compile("// \\[(?!end\\])([\\w-]+)\\]");
    for (String file : List.of("CookbookExample.java", "ComingFromExample.java")) {
      String source = Files.readString(examples(file).get(0));
      assertThat(quotes())
          .filteredOn(quote -> quote.file().equals(file))
          .extracting(Quote::region)
          .containsAll(opening.matcher(source).results().map(found -> found.group(1)).toList());
    }
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
