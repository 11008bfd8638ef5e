package io.testudo.node.config;

import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.CredentialFiles;
import io.testudo.client.config.Settings;
import io.testudo.client.config.WatchedFiles;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.MemberCredentials;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What one member of a ring is told.
 *
 * @param member its principal, from which its place in the ring follows
 * @param cluster its servers are where the ring is entered
 * @param shared the keys by which all members take connections, with hmac
 * @param own the keys by which this one dials others; with tls its certificate, which it also shows
 *     to those who dial it
 * @param address where others reach it
 * @param admin where operators reach it, if anywhere
 * @param watched which files it is from, and how often a daemon looks whether they have changed
 */
public record RingMemberConfig(
    Path file,
    String member,
    ClusterDescription cluster,
    RingProtocol protocol,
    CredentialFiles shared,
    CredentialFiles own,
    Endpoint address,
    Endpoint listen,
    Optional<Endpoint> admin,
    LinkLimits limits,
    LogSettings log,
    WatchedFiles watched) {
  /** Whether a configuration is that of a member of a ring. */
  public static boolean isOne(Path file) {
    return Settings.read(file).has("member");
  }

  /** Reads a member's configuration and the cluster file that it names. */
  public static RingMemberConfig read(Path file) {
    Settings settings = Settings.read(file);
    ClusterDescription cluster = settings.cluster();
    CommonSettings common = CommonSettings.of(settings);
    common.check(settings, cluster.servers(), cluster.byzantine());
    Optional<RingProtocol> protocol = common.lock().ring();
    if (protocol.isEmpty()) {
      throw settings.wrong(
          "lock.backend",
          "is '%s', which needs no ring; choose another, or name a server instead of a member"
              .formatted(common.lock().backend()));
    }
    CredentialFiles shared = CredentialFiles.of(settings, "server.keys");
    Endpoint address = settings.endpoint("address", cluster.endpoints().get(0));
    CredentialFiles own =
        new CredentialFiles(
            settings.path("member-keys", "client.keys"),
            shared.certificate(),
            shared.privateKey(),
            shared.authority(),
            true,
            Optional.empty());
    RingMemberConfig config =
        new RingMemberConfig(
            file,
            principal(settings),
            cluster,
            protocol.get(),
            shared,
            own,
            address,
            settings.endpoint("listen", address),
            ServerConfig.admin(settings),
            ServerConfig.limits(settings),
            LogSettings.of(settings),
            WatchedFiles.of(settings, shared, own));
    settings.refuseUnknown();
    return config;
  }

  /** By which it shows who it is; reads the files. */
  public MemberCredentials credentials() {
    return own.member(cluster, member, shared);
  }

  private static String principal(Settings settings) {
    try {
      return new ClientId(settings.text("member"), 0, 0).principal();
    } catch (IllegalArgumentException e) {
      throw settings.wrong("member", "cannot be: " + e.getMessage());
    }
  }
}
