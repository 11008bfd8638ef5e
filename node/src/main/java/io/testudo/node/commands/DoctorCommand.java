package io.testudo.node.commands;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.examination.Doctor;
import io.testudo.quorum.ConfigurationException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo doctor}: what is wrong, and what to do. */
@Command(
    name = "doctor",
    description = {
      "Checks configuration, keys, rights, reachability, versions, settings and clocks, "
          + "and says what to do.",
      "Then two sessions of its own use locks and ask for objects whose names "
          + "begin with testudo-doctor- and which nobody else knows, and compare what each server says "
          + "with what it said before. This needs the right to lock, and to read, some prefix."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing is broken", "1:something is"},
    footerHeading = "%nExample:%n",
    footer = "  testudo doctor --config prod/clients/admin/client.conf")
public final class DoctorCommand implements Subcommand {
  @Option(
      names = "--timeout",
      defaultValue = "3s",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long to wait for servers (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofSeconds(3);

  @Option(
      names = "--second",
      paramLabel = "FILE",
      description =
          "The configuration of another principal, for the second session: a server may lie to some "
              + "principals only (default: the same).")
  private @Nullable Path second;

  @Mixin private ClientOptions client;
  @Mixin private Output output;

  /** For picocli. */
  public DoctorCommand() {}

  private record Row(
      String check, String about, String verdict, String detail, @Nullable String advice) {}

  @Override
  public Integer call() throws InterruptedException {
    List<Doctor.Finding> findings;
    try {
      ClientConfig config = client.readOfCluster().withKeysRead();
      ClientConfig other = second == null ? config : ClientConfig.read(second);
      try (ClusterClient cluster = ClusterClient.connect(config)) {
        findings = new Doctor(cluster, other, timeout).examine();
      }
    } catch (CommandException | ConfigurationException e) {
      // The sentence says what to do, too.
      findings =
          List.of(
              new Doctor.Finding(
                  "config",
                  "this client",
                  Doctor.Verdict.FAIL,
                  String.valueOf(e.getMessage()),
                  null));
    }
    findings.forEach(this::show);
    boolean broken =
        findings.stream().anyMatch(finding -> finding.verdict() == Doctor.Verdict.FAIL);
    return broken ? ExitCode.FAILED : ExitCode.OK;
  }

  private void show(Doctor.Finding finding) {
    String verdict = finding.verdict().name().toLowerCase(Locale.ROOT);
    String advice = finding.advice() == null ? "" : "; " + finding.advice();
    output.row(
        new Row(finding.check(), finding.about(), verdict, finding.detail(), finding.advice()),
        String.format(
            Locale.ROOT,
            "%-4s  %-8s  %s: %s%s",
            verdict,
            finding.check(),
            finding.about(),
            finding.detail(),
            advice));
  }
}
