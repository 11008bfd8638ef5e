package io.testudo.node.config;

import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.CredentialFiles;
import io.testudo.client.config.Settings;
import io.testudo.client.config.WatchedFiles;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.netty.LinkLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What one server is told.
 *
 * @param file where it is from
 * @param listen where clients reach it; another address than the cluster file's if a router or
 *     container is between them
 * @param admin where operators reach it, if anywhere
 * @param data the directory of its journals
 * @param limits may change while it runs, as may rights and addresses in the cluster description,
 *     and keys
 * @param watched which files it is from, and how often a daemon looks whether they have changed
 */
public record ServerConfig(
    Path file,
    ServerId self,
    ClusterDescription cluster,
    CommonSettings common,
    CredentialFiles credentials,
    Endpoint listen,
    Optional<Endpoint> admin,
    Path data,
    JournalOptions.Survives survives,
    LinkLimits limits,
    LogSettings log,
    WatchedFiles watched) {
  /** What stands in the place of an admin address where there is none. */
  public static final String NO_ADMIN = "none";

  /** From no files. */
  public ServerConfig(
      Path file,
      ServerId self,
      ClusterDescription cluster,
      CommonSettings common,
      CredentialFiles credentials,
      Endpoint listen,
      Optional<Endpoint> admin,
      Path data,
      JournalOptions.Survives survives,
      LinkLimits limits,
      LogSettings log) {
    this(
        file,
        self,
        cluster,
        common,
        credentials,
        listen,
        admin,
        data,
        survives,
        limits,
        log,
        WatchedFiles.NONE);
  }

  /** The same but for the cluster. */
  public ServerConfig with(ClusterDescription other) {
    return new ServerConfig(
        file,
        self,
        other,
        common,
        credentials,
        listen,
        admin,
        data,
        survives,
        limits,
        log,
        watched);
  }

  /** Reads a server's configuration and the cluster file that it names. */
  public static ServerConfig read(Path file) {
    Settings settings = Settings.read(file);
    ClusterDescription cluster = settings.cluster();
    ServerId self = self(settings, cluster);
    CommonSettings common = CommonSettings.of(settings);
    common.check(settings, cluster.servers(), cluster.byzantine());
    common.checkSeals(settings, cluster);
    CredentialFiles keys = CredentialFiles.of(settings, "server.keys");
    ServerConfig config =
        new ServerConfig(
            file,
            self,
            cluster,
            common,
            keys,
            settings.endpoint("listen", cluster.endpoint(self)),
            admin(settings),
            settings.path("data", "data"),
            settings.flag("sync", true)
                ? JournalOptions.Survives.POWER_LOSS
                : JournalOptions.Survives.PROCESS_DEATH,
            limits(settings),
            LogSettings.of(settings),
            WatchedFiles.of(settings, keys));
    settings.refuseUnknown();
    return config;
  }

  private static ServerId self(Settings settings, ClusterDescription cluster) {
    String name = settings.text("server");
    for (int index = 0; index < cluster.servers(); index++) {
      ServerId candidate = new ServerId(index);
      if (candidate.toString().equals(name)) {
        return candidate;
      }
    }
    throw settings.wrong(
        "server", "is '%s'; name one of the cluster's servers, such as s0".formatted(name));
  }

  static Optional<Endpoint> admin(Settings settings) {
    String text = settings.text("admin", NO_ADMIN);
    return text.equals(NO_ADMIN)
        ? Optional.empty()
        : Optional.of(settings.endpoint("admin", new Endpoint("127.0.0.1", 1)));
  }

  static LinkLimits limits(Settings settings) {
    LinkLimits standard = LinkLimits.standard();
    try {
      return standard
          .withTimes(
              millis(settings, "limits.handshake", standard.handshakeMillis()),
              millis(settings, "limits.frame", standard.frameMillis()),
              millis(settings, "limits.idle", standard.idleMillis()))
          .withConnections(
              settings.number("limits.connections", standard.connections()),
              settings.number("limits.connections-per-address", standard.connectionsPerAddress()),
              settings.number(
                  "limits.connections-per-principal", standard.connectionsPerPrincipal()));
    } catch (IllegalArgumentException e) {
      throw settings.wrong("limits", "cannot be: " + e.getMessage());
    }
  }

  private static long millis(Settings settings, String path, long otherwise) {
    return settings.duration(path, Duration.ofMillis(otherwise)).toMillis();
  }
}
