package io.testudo.node.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.node.setup.DeletedTree;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Chromium without a window, steered by its own protocol; nothing but the browser is needed. */
final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final Pattern LISTENS = Pattern.compile("DevTools listening on ws://([^/]+)/");

  private final Path profile;
  private final Process process;
  private final DevToolsSocket page;
  private long lastId;

  /** The browser of this machine, if it has one. */
  static Optional<String> find() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  Browser(String program) throws IOException {
    profile = Files.createTempDirectory("testudo-browser");
    process =
        new ProcessBuilder(
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    page = new DevToolsSocket(target(address()));
  }

  private String address() throws IOException {
    BufferedReader lines = process.errorReader(UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      var found = LISTENS.matcher(line);
      if (found.find()) {
        Thread rest = new Thread(() -> lines.lines().forEach(any -> {}), "browser-errors");
        rest.setDaemon(true);
        rest.start();
        return found.group(1);
      }
    }
    throw new IOException("the browser ended");
  }

  private static URI target(String address) throws IOException {
    while (true) {
      try (InputStream list = URI.create("http://" + address + "/json/list").toURL().openStream()) {
        for (JsonElement each :
            JsonParser.parseString(new String(list.readAllBytes(), UTF_8)).getAsJsonArray()) {
          JsonObject target = each.getAsJsonObject();
          if (target.get("type").getAsString().equals("page")) {
            return URI.create(target.get("webSocketDebuggerUrl").getAsString());
          }
        }
      }
    }
  }

  /** Has the browser do something. */
  JsonObject call(String method, Map<String, Object> parameters) throws IOException {
    long id = ++lastId;
    page.send(new Gson().toJson(Map.of("id", id, "method", method, "params", parameters)));
    while (true) {
      JsonObject told = JsonParser.parseString(page.receive()).getAsJsonObject();
      if (told.has("id") && told.get("id").getAsLong() == id) {
        if (told.has("error")) {
          throw new IllegalStateException(told.toString());
        }
        return told.getAsJsonObject("result");
      }
    }
  }

  /** Opens a page in a window of this size. */
  void open(String url, int width, int height) throws IOException {
    JsonObject unused =
        call(
            "Emulation.setDeviceMetricsOverride",
            Map.of(
                "width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    unused = call("Page.enable", Map.of());
    unused = call("Page.navigate", Map.of("url", url));
    boolean there = false;
    while (!there) {
      try {
        await("location.href === '%s' && document.readyState === 'complete'".formatted(url));
        there = true;
      } catch (IllegalStateException e) {
        // The page before it was asked, which is gone.
        if (!String.valueOf(e.getMessage()).contains("navigated")
            && !String.valueOf(e.getMessage()).contains("destroyed")) {
          throw e;
        }
      }
    }
  }

  /** What an expression has as its value; a promise is waited for. */
  String eval(String expression) throws IOException {
    JsonObject result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result);
    }
    JsonElement value = result.getAsJsonObject("result").get("value");
    return value == null ? "" : value.isJsonPrimitive() ? value.getAsString() : value.toString();
  }

  /** Waits until an expression is true, which it may become with any change of the page. */
  void await(String expression) throws IOException {
    String unused =
        eval(
            """
            new Promise(done => {
              const observer = new MutationObserver(() => look());
              const look = () => { if (%s) { observer.disconnect(); done(true); } };
              observer.observe(document,
                {subtree: true, childList: true, characterData: true, attributes: true});
              document.addEventListener('readystatechange', look);
              look();
            })
            """
                .formatted(expression));
  }

  @Override
  public void close() throws IOException {
    page.close();
    List<ProcessHandle> children = process.descendants().toList();
    Process unused = process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    process.onExit().join();
    children.forEach(child -> child.onExit().join());
    DeletedTree.delete(profile);
  }
}
