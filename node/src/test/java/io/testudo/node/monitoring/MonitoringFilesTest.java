package io.testudo.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.node.server.ExportedMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The dashboard and the alerts for operators, beside what servers and watchers export. */
@Timeout(120)
class MonitoringFilesTest {
  private static final Path FILES = Path.of("../packaging/archive/src/archive/monitoring");
  private static final Path DOCS = Path.of("../docs/operations.md");
  private static final Pattern LABEL = Pattern.compile("\\$labels\\.(\\w+)|\\{\\{\\s*(\\w+)\\s*}}");
  private static final Pattern ALERT_ROW = Pattern.compile("(?m)^\\| `(Testudo\\w+)` \\|");

  /** Made by Prometheus itself, with the labels that every alert has. */
  private static final Map<String, Set<String>> OWN =
      Map.of("up", Set.of(), "ALERTS", Set.of("alertname", "alertstate", "server"));

  @TempDir static Path temporary;

  /** By metric, its labels. */
  private static Map<String, Set<String>> exported;

  /** What a scrape adds to all of them. */
  private static final Set<String> scraped = new TreeSet<>(Set.of("job", "instance"));

  @BeforeAll
  static void export() throws Exception {
    exported = ExportedMetrics.in(temporary);
    exported.putAll(OWN);
    for (Object job : list(yaml("prometheus.yml"), "scrape_configs")) {
      for (Object targets : list(job, "static_configs")) {
        ((Map<?, ?>) at(targets, "labels")).keySet().forEach(label -> scraped.add("" + label));
      }
    }
  }

  private static Object yaml(String file) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    return new Yaml(new SafeConstructor(options)).load(Files.readString(FILES.resolve(file)));
  }

  private static Object at(Object tree, String key) {
    Object found = ((Map<?, ?>) tree).get(key);
    assertThat(found).as("%s of %s", key, tree).isNotNull();
    return found;
  }

  private static List<?> list(Object tree, String key) {
    return (List<?>) at(tree, key);
  }

  private static Map<String, Object> alerts() throws IOException {
    Map<String, Object> alerts = new TreeMap<>();
    for (Object group : list(yaml("alerts.yml"), "groups")) {
      for (Object rule : list(group, "rules")) {
        Object before = alerts.put((String) at(rule, "alert"), rule);
        assertThat(before).as("two of one name").isNull();
      }
    }
    return alerts;
  }

  /** Checks an expression, and what is shown of its results. */
  private static void check(String expression, String shown) {
    PromQuery query = new PromQuery(expression);
    assertThat(query.metrics).as(expression).isNotEmpty();
    Set<String> labels = new TreeSet<>(scraped);
    query.metrics.forEach(
        (metric, selectedBy) -> {
          assertThat(exported).as("metrics that there are, in %s", expression).containsKey(metric);
          Set<String> own = new TreeSet<>(exported.get(metric));
          own.addAll(scraped);
          assertThat(own).as("labels of %s in %s", metric, expression).containsAll(selectedBy);
          labels.addAll(own);
        });
    assertThat(labels).as("labels of %s", expression).containsAll(query.groupedBy);
    for (MatchResult label : LABEL.matcher(shown).results().toList()) {
      String name = label.group(1) == null ? label.group(2) : label.group(1);
      assertThat(labels).as("labels that %s can show", expression).contains(name);
    }
  }

  @Test
  void alertsAskForWhatIsExported() throws IOException {
    assertThat(alerts()).hasSizeGreaterThan(15);
    alerts()
        .values()
        .forEach(rule -> check((String) at(rule, "expr"), String.valueOf(at(rule, "annotations"))));
  }

  @Test
  void alertsSayWhyAndHowBad() throws IOException {
    alerts()
        .forEach(
            (name, rule) -> {
              assertThat(name).startsWith("Testudo");
              assertThat(at(at(rule, "labels"), "severity")).isIn("critical", "warning", "info");
              assertThat((String) at(at(rule, "annotations"), "summary")).isNotBlank();
              assertThat((String) at(at(rule, "annotations"), "description")).endsWith(".");
            });
  }

  @Test
  void everyAlertHasItsLineInTheHandbookAndNoOtherHas() throws IOException {
    Set<String> described = new TreeSet<>();
    ALERT_ROW
        .matcher(Files.readString(DOCS))
        .results()
        .forEach(row -> assertThat(described.add(row.group(1))).isTrue());
    assertThat(described).isEqualTo(alerts().keySet());
  }

  @Test
  void theHandbookNamesEveryMetricOfOurs() throws IOException {
    String docs = Files.readString(DOCS);
    assertThat(exported.keySet())
        .filteredOn(metric -> metric.startsWith("testudo_") && !metric.matches(".*_(sum|count)"))
        .allSatisfy(metric -> assertThat(docs).contains("`" + metric));
  }

  @Test
  void theDashboardShowsWhatIsExported() throws IOException {
    JsonObject dashboard =
        JsonParser.parseString(Files.readString(FILES.resolve("grafana-dashboard.json")))
            .getAsJsonObject();
    List<JsonObject> panels = new ArrayList<>();
    dashboard.getAsJsonArray("panels").forEach(panel -> panels.add(panel.getAsJsonObject()));
    assertThat(panels).extracting(panel -> panel.get("id").getAsInt()).doesNotHaveDuplicates();
    assertThat(panels).hasSizeGreaterThan(15);
    for (JsonObject panel : panels) {
      if (panel.get("type").getAsString().equals("row")) {
        continue;
      }
      assertThat(panel.get("description").getAsString()).isNotBlank();
      for (JsonElement each : panel.getAsJsonArray("targets")) {
        JsonObject target = each.getAsJsonObject();
        JsonElement legend = target.get("legendFormat");
        check(target.get("expr").getAsString(), legend == null ? "" : legend.getAsString());
      }
    }
    JsonObject annotation =
        dashboard.getAsJsonObject("annotations").getAsJsonArray("list").get(0).getAsJsonObject();
    check(annotation.get("expr").getAsString(), annotation.get("textFormat").getAsString());
    assertThat(dashboard.getAsJsonObject("templating").toString())
        .contains("label_values(testudo_ready, cluster)");
  }
}
