package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What pages say of other pages, of messages and of tests can be found. */
class PagesTest {
  private static final SourceTree TREE = SourceTree.ofRunningTests();
  private static final Path DOCS = TREE.root().resolve("docs");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(TREE.root());
        Stream<Path> docs = Files.walk(DOCS)) {
      Stream.concat(top, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .forEach(pages::add);
    }
    return pages;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String prose(Path page) {
    return FENCE.matcher(read(page)).replaceAll("");
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /** As GitHub makes them of headings. */
  private static Set<String> anchors(Path page) {
    Set<String> anchors = new HashSet<>();
    for (String heading : found(HEADING, prose(page))) {
      String slug =
          heading
              .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      String anchor = slug;
      for (int i = 1; !anchors.add(anchor); i++) {
        anchor = slug + "-" + i;
      }
    }
    return anchors;
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (String link : found(LINK, prose(page))) {
        if (!link.contains("://") && !link.startsWith("mailto:") && !leads(page, link)) {
          broken.add(TREE.root().relativize(page) + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leads(Path page, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
  }

  /** A newcomer begins at the first page, so every page is reached from there. */
  @Test
  void everyPageIsOnTheStartPage() throws IOException {
    String start = read(DOCS.resolve("README.md"));
    try (Stream<Path> docs = Files.list(DOCS)) {
      assertThat(docs.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".md") && !name.equals("README.md"))
          .allSatisfy(name -> assertThat(start).contains("(" + name + ")"));
    }
  }

  /** All string literals of main sources and of the launcher, with those joined that are added. */
  private static String literals() {
    String java =
        TREE.modules().stream()
            .flatMap(module -> TREE.mainSources(module).stream())
            .map(PagesTest::read)
            .map(text -> text.replaceAll("\"\\s*\\+\\s*\"", ""))
            .collect(Collectors.joining("\n"));
    return java + read(TREE.root().resolve("testudo")).replaceAll("\"\\s*\\\\\\s*\"", " ");
  }

  /** Each heading there is a message, with dots for what changes. */
  @Test
  void messagesThatCanBeSeenExist() {
    String literals = literals();
    List<String> messages =
        found(HEADING, prose(DOCS.resolve("what-can-go-wrong.md"))).stream()
            .flatMap(heading -> found(CODE, heading).stream())
            .toList();
    assertThat(messages).hasSizeGreaterThan(20);
    assertThat(messages)
        .filteredOn(message -> !Pattern.compile(pattern(message)).matcher(literals).find())
        .as("said by no class")
        .isEmpty();
  }

  private static String pattern(String message) {
    return Stream.of(message.split("\\.\\.\\.", -1))
        .dropWhile(String::isEmpty)
        .map(Pattern::quote)
        .collect(Collectors.joining("[^\"\\n]{0,200}"));
  }

  /** Of all modules and adapters; what a build writes meanwhile is not looked at. */
  private static Set<String> classes() {
    try (Stream<Path> adapters = Files.list(TREE.module("adapters"))) {
      return Stream.concat(TREE.modules().stream().map(TREE::module), adapters)
          .map(module -> module.resolve("src"))
          .filter(Files::isDirectory)
          .flatMap(PagesTest::below)
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java") || name.endsWith(".kt"))
          .map(name -> name.substring(0, name.lastIndexOf('.')))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> below(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is compared with other libraries has a test, and the test exists. */
  @Test
  void testsOfTheComparisonExist() {
    Set<String> classes = classes();
    List<String> rows =
        found(Pattern.compile("(?m)^\\| (.*) \\|$"), read(DOCS.resolve("compared.md")));
    int tested = 0;
    for (String row : rows) {
      List<String> cells = List.of(row.split(" \\| ", -1));
      String test = cells.get(cells.size() - 1);
      for (MatchResult name : CODE.matcher(test).results().toList()) {
        assertThat(classes).as("row %s", row).contains(name.group(1));
        tested++;
      }
      boolean isOurs = cells.size() == 6 && CODE.matcher(cells.get(4)).find();
      assertThat(isOurs && !CODE.matcher(test).find()).as("has no test: %s", row).isFalse();
    }
    assertThat(tested).isGreaterThan(20);
  }
}
