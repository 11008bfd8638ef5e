package io.testudo.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus itself says of the files for it. */
@Timeout(60)
class PromtoolTest {
  private static final Path FILES = Path.of("../packaging/archive/src/archive/monitoring");

  @TempDir Path temporary;
  private String promtool;

  @BeforeEach
  void find() {
    Optional<String> found =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .map(directory -> Path.of(directory, "promtool"))
            .filter(Files::isExecutable)
            .map(Path::toString)
            .findFirst();
    assumeTrue(
        found.isPresent(),
        "rules and dashboard were not shown to Prometheus: install promtool (Debian: package"
            + " prometheus)");
    promtool = found.orElseThrow();
  }

  private void check(String what, Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(promtool, "check", what, file.toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("SUCCESS");
  }

  @Test
  void takesTheConfigurationAndItsRules() throws Exception {
    check("config", FILES.resolve("prometheus.yml"));
  }

  @Test
  void understandsWhatTheDashboardAsks() throws Exception {
    List<String> rules = new ArrayList<>(List.of("groups:", "  - name: dashboard", "    rules:"));
    for (JsonElement panel :
        JsonParser.parseString(Files.readString(FILES.resolve("grafana-dashboard.json")))
            .getAsJsonObject()
            .getAsJsonArray("panels")) {
      JsonElement targets = panel.getAsJsonObject().get("targets");
      if (targets != null) {
        for (JsonElement target : targets.getAsJsonArray()) {
          String expression = target.getAsJsonObject().get("expr").getAsString();
          rules.add("      - record: asked_" + rules.size());
          rules.add("        expr: " + expression.replace("$__rate_interval", "1m"));
        }
      }
    }
    assertThat(rules).hasSizeGreaterThan(50);
    check("rules", Files.write(temporary.resolve("dashboard.yml"), rules));
  }
}
