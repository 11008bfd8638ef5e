package io.testudo.node.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.testudo.node.web.SmallHttpServer.Answer;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class StatusPageTest {
  private final Answer page = StatusPage.answer();

  private String between(String start, String end) {
    int from = page.body().indexOf(start) + start.length();
    return page.body().substring(from, page.body().indexOf(end, from));
  }

  private static String hash(String text) {
    return "'sha256-%s'"
        .formatted(
            Base64.getEncoder().encodeToString(Hashing.sha256().hashString(text, UTF_8).asBytes()));
  }

  @Test
  void letsNothingRunButItsOwnScriptAndStyles() {
    assertThat(page.policy())
        .startsWith("default-src 'none'; ")
        .contains("script-src " + hash(between("<script>", "</script>")) + ";")
        .contains("style-src " + hash(between("<style>", "</style>")) + ";")
        .contains("connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'")
        .doesNotContain("unsafe", "*", "http");
    assertThat(page.body()).containsOnlyOnce("<script").containsOnlyOnce("<style");
  }

  @Test
  void needsNothingElse() {
    // The one address in it is the name of a language.
    assertThat(page.body().replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http:", "https:", "//cdn", "@import", "url(", " src=", " onclick")
        .contains("lang=\"en\"", "width=device-width", "<noscript>", "prefers-color-scheme");
  }

  /** What others chose becomes text, and never markup. */
  @Test
  void hasNoWayFromTextToMarkup() {
    assertThat(between("<script>", "</script>"))
        .doesNotContain(
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(")
        .contains("createTextNode");
  }

  @Test
  void holdsNoDataAndHasAPlaceForEverythingItFills() {
    assertThat(page.body()).doesNotContain("/*STYLE*/", "/*SCRIPT*/");
    for (String id :
        new String[] {"name", "about", "age", "pause", "trouble", "verdict", "content", "foot"}) {
      assertThat(page.body()).containsOnlyOnce("id=\"" + id + "\"");
    }
  }
}
