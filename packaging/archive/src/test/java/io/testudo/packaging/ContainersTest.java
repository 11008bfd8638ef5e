package io.testudo.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.local.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Starts a server as its container would, and asks what the probes ask. */
class ContainersTest {
  private static final String BASE = "kubernetes/base/";
  private static final String CONFIGURATION = "/etc/testudo";
  private static final String DATA = "/var/lib/testudo";

  @TempDir private Path temporary;
  @AutoClose private Unpacked unpacked;

  @BeforeEach
  void unpack() throws Exception {
    unpacked = new Unpacked(temporary);
  }

  private static Object yaml(String file) throws IOException {
    return new Yaml().load(Unpacked.text(file));
  }

  /** What is at the end of a path of keys, and of numbers in lists. */
  private static Object at(Object tree, Object... path) {
    Object node = tree;
    for (Object step : path) {
      node =
          step instanceof Integer index
              ? ((List<?>) node).get(index)
              : ((Map<?, ?>) node).get(step);
      assertThat(node).as("%s of %s", step, List.of(path)).isNotNull();
    }
    return node;
  }

  private static List<?> list(Object tree, Object... path) {
    return (List<?>) at(tree, path);
  }

  private static Object container() throws IOException {
    return at(yaml(BASE + "statefulset.yaml"), "spec", "template", "spec", "containers", 0);
  }

  private static Map<Object, Object> named(List<?> items, Object value) {
    Map<Object, Object> byName = new LinkedHashMap<>();
    items.forEach(item -> byName.put(at(item, "name"), at(item, value)));
    return byName;
  }

  @Test
  void portsAreThoseOfTheConfiguration() throws Exception {
    String conf = Unpacked.text(BASE + "container.conf");
    Map<Object, Object> ports = named(list(container(), "ports"), "containerPort");
    assertThat(conf).contains("listen = \"0.0.0.0:" + ports.get("testudo") + "\"");
    assertThat(conf).contains("admin = \"0.0.0.0:" + ports.get("admin") + "\"");
    Object service = at(yaml(BASE + "service.yaml"), "spec", "ports", 0);
    assertThat(at(service, "port")).isEqualTo(ports.get("testudo"));
    assertThat(at(service, "targetPort")).isEqualTo("testudo");
    assertThat(Unpacked.text("docker/Dockerfile"))
        .contains("EXPOSE " + ports.get("testudo") + " " + ports.get("admin"));
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      assertThat(at(container(), probe, "httpGet", "port")).isEqualTo("admin");
    }
  }

  @Test
  void theImageRunsWhatTheArchiveHas() throws Exception {
    String image = Unpacked.text("docker/Dockerfile");
    assertThat(image).contains("COPY bin /opt/testudo/bin", "COPY lib /opt/testudo/lib");
    assertThat(image).contains("ENTRYPOINT [\"/opt/testudo/bin/testudo\"]");
    String arguments = list(container(), "args").toString();
    assertThat(image)
        .contains(
            "CMD " + arguments.replace("[", "[\"").replace(", ", "\", \"").replace("]", "\"]"));
    assertThat(arguments).contains(CONFIGURATION + "/container.conf");
    Map<Object, Object> mounts = named(list(container(), "volumeMounts"), "mountPath");
    assertThat(mounts.values()).contains(CONFIGURATION, DATA);
    Object user =
        at(
            yaml(BASE + "statefulset.yaml"),
            "spec",
            "template",
            "spec",
            "securityContext",
            "runAsUser");
    assertThat(image).contains("USER " + user + ":", "VOLUME " + DATA);
    // A volume that Docker makes belongs to whom this directory belongs.
    assertThat(image).contains("mkdir -p " + DATA + " && chown " + user + ":" + user + " " + DATA);
  }

  @Test
  void oneServerForEachFailureDomain() throws Exception {
    Object set = yaml(BASE + "statefulset.yaml");
    assertThat(at(set, "spec", "replicas")).isEqualTo(1);
    Object rule =
        at(
            set,
            "spec",
            "template",
            "spec",
            "affinity",
            "podAntiAffinity",
            "requiredDuringSchedulingIgnoredDuringExecution",
            0);
    assertThat(at(rule, "topologyKey")).isEqualTo("topology.kubernetes.io/zone");
    Object expression = at(rule, "labelSelector", "matchExpressions", 0);
    assertThat(at(set, "spec", "template", "metadata", "labels", at(expression, "key")))
        .isEqualTo(at(expression, "values", 0));
    for (int server = 0; server < 4; server++) {
      Object own = yaml("kubernetes/servers/s" + server + "/kustomization.yaml");
      assertThat(at(own, "nameSuffix")).isEqualTo("-s" + server);
      assertThat(at(own, "labels", 0, "pairs", "testudo.io/server")).isEqualTo("s" + server);
      assertThat(at(own, "labels", 0, "includeSelectors")).isEqualTo(true);
    }
  }

  /** The secret has what 'testudo init' writes for a server, the names are those that are there. */
  @Test
  void namesTheFilesOfAServer() throws Exception {
    Path cluster = unpacked.cluster("--security", "tls");
    List<String> written;
    try (Stream<Path> files = Files.list(cluster.resolve("s1"))) {
      written =
          files.filter(Files::isRegularFile).map(file -> "conf/" + file.getFileName()).toList();
    }
    Object own = yaml("kubernetes/servers/s1/kustomization.yaml");
    assertThat(written)
        .containsExactlyInAnyOrderElementsOf(
            list(own, "secretGenerator", 0, "files").stream().map(Object::toString).toList());
    Object set = yaml(BASE + "statefulset.yaml");
    List<?> sources = list(set, "spec", "template", "spec", "volumes", 0, "projected", "sources");
    assertThat(at(sources, 0, "secret", "name")).isEqualTo(at(own, "secretGenerator", 0, "name"));
    assertThat(at(sources, 1, "configMap", "name"))
        .isEqualTo(at(yaml(BASE + "kustomization.yaml"), "configMapGenerator", 0, "name"));
  }

  @Test
  void aServerStartsAndAnswersItsProbes() throws Exception {
    Path cluster = unpacked.cluster("--security", "tls");
    Path server = cluster.resolve("s0");
    Path volume = Files.createDirectories(temporary.resolve("volume"));
    found(server, volume);

    List<Integer> ports = FreePorts.find(2);
    String admin = "127.0.0.1:" + ports.get(1);
    Files.writeString(
        server.resolve("container.conf"),
        Unpacked.placed(
            Unpacked.text(BASE + "container.conf"),
            Map.of(
                "0.0.0.0:7001",
                "127.0.0.1:" + ports.get(0),
                "0.0.0.0:8001",
                admin,
                DATA,
                volume.toString())));
    List<String> command = new ArrayList<>(List.of(Unpacked.launcher().toString()));
    list(container(), "args")
        .forEach(word -> command.add(word.toString().replace(CONFIGURATION, server.toString())));
    Unpacked.Run run = unpacked.start(command);
    run.awaitReady();
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      String path = at(container(), probe, "httpGet", "path").toString();
      Unpacked.await(probe, () -> Unpacked.get(admin, path) == 200);
    }
    assertThat(volume.resolve("data")).isNotEmptyDirectory();
    assertThat(server.resolve("data")).doesNotExist();
  }

  /** As the init container does: once, and never over journals that are there. */
  private void found(Path server, Path volume) throws Exception {
    Path secret = Files.createDirectories(temporary.resolve("founding"));
    String archive = secret.resolve("founding.tar.gz").toString();
    Unpacked.Run tar =
        unpacked.start(List.of("tar", "-C", server.toString(), "-czf", archive, "data"));
    assertThat(tar.awaitEnd()).as(tar.said()).isZero();
    Unpacked.Run away = unpacked.start(List.of("rm", "-r", server.resolve("data").toString()));
    assertThat(away.awaitEnd()).isZero();
    Object founding =
        at(
            yaml("kubernetes/founding/component/founding.yaml"),
            "spec",
            "template",
            "spec",
            "initContainers",
            0);
    String script =
        Unpacked.placed(
            at(founding, "args", 0).toString(),
            Map.of(DATA, volume.toString(), "/founding/", secret + "/"));
    // What a pod leaves behind that was ended meanwhile is no journal.
    Files.writeString(Files.createDirectories(volume.resolve("unpacked/data")).resolve("mark"), "");
    for (int time = 0; time < 2; time++) {
      Unpacked.Run run = unpacked.start(List.of("sh", "-c", script));
      assertThat(run.awaitEnd()).as(run.said()).isZero();
      Path mark = volume.resolve("data/mark");
      assertThat(Files.exists(mark)).isEqualTo(time > 0);
      Files.writeString(mark, "not to be written over");
      assertThat(volume.resolve("unpacked")).doesNotExist();
    }
    Files.delete(volume.resolve("data/mark"));
    assertThat(Unpacked.text("kubernetes/founding/s0/kustomization.yaml"))
        .containsPattern(Pattern.compile("tar -C cluster/s0 -czf founding.tar.gz data"));
  }
}
