package io.testudo.node.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import io.testudo.client.TestudoClient;
import io.testudo.mutex.Lease;
import io.testudo.node.server.ShownAdmin;
import io.testudo.node.watch.ShownCluster;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The status page as a browser shows it. */
@Timeout(180)
class StatusPageInBrowserTest {
  private static final String HOSTILE =
      "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
  private static final String TURNED = "cod\u202eexe.evil\u001b[31m";

  @TempDir static Path temporary;
  private static ShownCluster shown;
  private static Browser browser;

  @BeforeAll
  static void start() throws IOException {
    Optional<String> program = Browser.find();
    assumeTrue(
        program.isPresent(),
        "the status page was not looked at: install Chromium (Debian: package chromium)");
    shown = new ShownCluster(temporary.resolve("cluster"), Duration.ofMillis(200));
    browser = new Browser(program.orElseThrow());
  }

  @AfterAll
  static void end() throws IOException {
    if (browser != null) {
      browser.close();
    }
    if (shown != null) {
      shown.close();
    }
  }

  private static String contains(String id, String text) {
    return "document.getElementById('%s').textContent.includes(%s)"
        .formatted(id, new Gson().toJson(text));
  }

  @Test
  void followsTheClusterAndShowsHostileNamesAsText() throws Exception {
    browser.open(shown.url(), 1280, 900);
    browser.await(contains("verdict", "All is well"));
    browser.eval(
        "window.violations = []; document.addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective)); 0");
    try (TestudoClient alice = shown.client("alice");
        TestudoClient bob = shown.client("bob");
        Lease lease = alice.lock(HOSTILE).acquire()) {
      assertThat(lease.isHeld()).isTrue();
      CompletableFuture<Lease> waiter = bob.lock(HOSTILE).acquireAsync();
      long unused = alice.counter(TURNED).increment().join();
      browser.await(contains("content", HOSTILE) + " && " + contains("content", "1 waiter"));
      browser.await(contains("content", Long.toString(lease.fencingToken())));
      browser.await(contains("content", "cod\\u202eexe.evil\\u001b[31m"));
      unused = alice.counter(TURNED).increment().join();
      browser.await("/[0-9]\\/s/.test(document.getElementById('content').textContent)");
      assertThat(waiter.cancel(false)).isTrue();
    }
    shown.accuse("alice", 2, HOSTILE + " twice");
    browser.await(
        contains("content", HOSTILE + " twice") + " && " + contains("content", "only said"));
    shown.accuse("bob", 2, "granted a lock twice");
    browser.await(
        contains("verdict", "less in reserve") + " && " + contains("content", "counts as lying"));
    assertThat(browser.eval("document.querySelectorAll('main img, main script').length"))
        .isEqualTo("0");
    assertThat(browser.eval("document.title")).startsWith("test: Works");
    assertThat(browser.eval("JSON.stringify(violations)")).isEqualTo("[]");
  }

  @Test
  void fitsAPhoneAndCanBePausedByKeyboard() throws IOException {
    browser.open(shown.url(), 360, 740);
    browser.await(
        contains("age", "live") + " && document.querySelectorAll('#content tr').length > 4");
    assertThat(browser.eval("document.documentElement.scrollWidth <= 360")).isEqualTo("true");
    browser.eval("document.getElementById('pause').focus(); 0");
    for (String type : new String[] {"keyDown", "keyUp"}) {
      var unused =
          browser.call(
              "Input.dispatchKeyEvent",
              Map.of(
                  "type",
                  type,
                  "key",
                  "Enter",
                  "code",
                  "Enter",
                  "text",
                  "\r",
                  "windowsVirtualKeyCode",
                  13));
    }
    browser.await(contains("age", "paused"));
    assertThat(browser.eval("document.activeElement.id + ' ' + document.activeElement.textContent"))
        .isEqualTo("pause Go on");
  }

  @Test
  void namesWhatItShowsForThoseWhoCannotSeeIt() throws IOException {
    browser.open(shown.url(), 1280, 900);
    browser.await("document.querySelectorAll('#content section').length > 3");
    assertThat(browser.eval("document.querySelectorAll('th:not([scope])').length")).isEqualTo("0");
    assertThat(
            browser.eval(
                "[...document.querySelectorAll('section')].every(it => document.getElementById(it.getAttribute('aria-labelledby')))"))
        .isEqualTo("true");
    assertThat(
            browser.eval(
                "[...document.querySelectorAll('#content svg')].every(it => it.getAttribute('aria-hidden'))"))
        .isEqualTo("true");
    assertThat(
            browser.eval(
                "new Set([...document.querySelectorAll('[id]')].map(it => it.id)).size === document.querySelectorAll('[id]').length"))
        .isEqualTo("true");
  }

  @Test
  void showsOneServerAndOneMemberOfARing() throws IOException {
    try (ShownAdmin server = ShownAdmin.of(shown.servers().node(new ServerId(1)));
        ShownAdmin member = ShownAdmin.ofRing(temporary.resolve("ring"))) {
      browser.open(server.url(), 1280, 900);
      browser.await(contains("verdict", "Ready") + " && " + contains("content", "AskStatus"));
      assertThat(browser.eval("document.title")).isEqualTo("s1 of test: Ready");
      browser.open(member.url(), 360, 740);
      browser.await(
          contains("verdict", "found its place")
              + " && "
              + contains("content", "Share of all keys"));
      assertThat(browser.eval("document.getElementById('trouble').hidden")).isEqualTo("true");
      assertThat(browser.eval("document.documentElement.scrollWidth <= 360")).isEqualTo("true");
    }
  }

  @Test
  void saysSoIfNobodyAnswers() throws Exception {
    try (ShownCluster other =
        new ShownCluster(temporary.resolve("other"), Duration.ofMillis(200))) {
      browser.open(other.url(), 1280, 900);
      browser.await(contains("verdict", "All is well"));
      other.servers().stop(new ServerId(0));
      browser.await(contains("content", "silent"));
    }
    browser.await("!document.getElementById('trouble').hidden");
    assertThat(browser.eval("document.getElementById('trouble').textContent"))
        .startsWith("No answer");
    assertThat(browser.eval(contains("content", "silent")))
        .as("what was seen last")
        .isEqualTo("true");
  }
}
