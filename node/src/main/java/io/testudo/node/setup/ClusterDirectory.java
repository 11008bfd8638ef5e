package io.testudo.node.setup;

import com.google.common.collect.ImmutableList;
import io.testudo.client.config.CommonSettings;
import io.testudo.crypto.CertificateAuthority;
import io.testudo.crypto.KeyFile;
import io.testudo.crypto.SealScheme;
import io.testudo.crypto.SigningKey;
import io.testudo.crypto.TlsIdentity;
import io.testudo.node.CommandException;
import io.testudo.node.FileTrouble;
import io.testudo.node.config.RingMemberConfig;
import io.testudo.node.server.Journals;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.ClusterFile;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.SecurityMode;
import io.testudo.quorum.netty.NettyPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The directory that a cluster is made in. Each member has a directory of its own with all it
 * needs, to be moved to its machine; {@code secret} stays with whoever made the cluster.
 */
public final class ClusterDirectory {
  static final String CLUSTER_FILE = "cluster.txt";
  static final String SERVER_CONFIG = "server.conf";
  static final String CLIENT_CONFIG = "client.conf";
  static final String SERVER_KEYS = "server.keys";
  static final String CLIENT_KEYS = "client.keys";
  static final String SIGNING_KEY = "signing.key";
  static final String CERTIFICATE = "certificate.pem";
  static final String PRIVATE_KEY = "private-key.pem";
  static final String AUTHORITY = "authority.pem";

  private static final String SECRET = "secret";
  private static final String MASTER = "master.key";
  private static final String AUTHORITY_KEY = "authority-key.pem";
  private static final String CLIENTS = "clients";
  private static final String DATA = "data";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path directory;

  public ClusterDirectory(Path directory) {
    this.directory = directory;
  }

  /** The configuration of a server. */
  public Path serverConfig(ServerId server) {
    return serverDirectory(server).resolve(SERVER_CONFIG);
  }

  /** The configuration of a principal. */
  public Path clientConfig(String principal) {
    return clientDirectory(principal).resolve(CLIENT_CONFIG);
  }

  private Path serverDirectory(ServerId server) {
    return directory.resolve(server.toString());
  }

  private Path clientDirectory(String principal) {
    return directory.resolve(CLIENTS).resolve(fileName(principal));
  }

  /** Principals may hold characters that no file should have in its name. */
  private static String fileName(String principal) {
    if (!principal.matches("[A-Za-z0-9_@+-][A-Za-z0-9._@+-]*")) {
      throw new CommandException(
          "The name '%s' cannot name a directory; use letters, digits and any of . _ @ + -"
              .formatted(principal));
    }
    return principal;
  }

  /** Whether a cluster was made here. */
  public boolean exists() {
    return Files.exists(directory.resolve(CLUSTER_FILE));
  }

  /** Makes a new cluster: whole, or not at all. */
  public ClusterDescription make(ClusterPlan plan) {
    ClusterDescription planned = plan.description();
    planned.rights().principals().forEach(ClusterDirectory::fileName);
    requireNew();
    Path parent = parentOf(directory);
    try {
      Files.createDirectories(parent);
      Path draft = Files.createTempDirectory(parent, ".testudo-init");
      try {
        ClusterDescription made = new ClusterDirectory(draft).write(planned, plan.common());
        Files.move(draft, directory, StandardCopyOption.ATOMIC_MOVE);
        return made;
      } finally {
        DeletedTree.delete(draft);
      }
    } catch (IOException e) {
      throw notWritten(directory, e);
    }
  }

  private static Path parentOf(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null) {
      throw new CommandException("%s is no place for a cluster; name another.".formatted(path));
    }
    return parent;
  }

  private void requireNew() {
    if (!Files.exists(directory)) {
      return;
    }
    try (var entries = Files.newDirectoryStream(directory)) {
      if (!entries.iterator().hasNext()) {
        return;
      }
    } catch (IOException e) {
      throw new CommandException("%s is no directory; name another.".formatted(directory), e);
    }
    throw new CommandException(
        "%s is not empty, and nothing is overwritten; name another directory."
            .formatted(directory));
  }

  private ClusterDescription write(ClusterDescription planned, CommonSettings common)
      throws IOException {
    ClusterDescription cluster = planned;
    Map<String, SigningKey> signingKeys = new TreeMap<>();
    if (common.seals() == SealScheme.ED25519) {
      for (String principal : planned.rights().principals()) {
        SigningKey key = SigningKey.generate(RANDOM);
        signingKeys.put(principal, key);
        cluster = cluster.with(principal, key.verifyingKey());
      }
    }
    ClusterFile.write(directory.resolve(CLUSTER_FILE), cluster);
    String commonText = ConfigTexts.common(common);
    SetupFiles.writeText(directory.resolve(ConfigTexts.COMMON), commonText);
    Path secret = SetupFiles.newDirectory(directory.resolve(SECRET));
    if (cluster.security() == SecurityMode.TLS) {
      CertificateAuthority.create(cluster.name(), RANDOM, Instant.now())
          .write(secret.resolve(AUTHORITY), secret.resolve(AUTHORITY_KEY));
    }
    try (ClusterSecrets secrets = ClusterSecrets.create(RANDOM)) {
      secrets.write(secret.resolve(MASTER));
      for (ServerId server : ServerSet.firstN(cluster.servers())) {
        if (common.lock().ring().isPresent()) {
          writeRingMember(cluster, server.toString(), cluster.endpoint(server), secrets);
        } else {
          writeServer(cluster, server, common, secrets);
        }
      }
      Path unused = SetupFiles.newDirectory(directory.resolve(CLIENTS));
      for (String principal : cluster.rights().principals()) {
        if (isRingMember(principal)) {
          continue;
        }
        writeClient(cluster, principal, commonText, secrets, signingKeys.get(principal));
      }
    }
    return cluster;
  }

  private void writeServer(
      ClusterDescription cluster, ServerId server, CommonSettings common, ClusterSecrets secrets)
      throws IOException {
    Path own = SetupFiles.newDirectory(serverDirectory(server));
    ClusterFile.write(own.resolve(CLUSTER_FILE), cluster);
    SetupFiles.writeText(own.resolve(ConfigTexts.COMMON), ConfigTexts.common(common));
    SetupFiles.writeText(own.resolve(SERVER_CONFIG), ConfigTexts.server(cluster, server));
    switch (cluster.security()) {
      case HMAC -> secrets.serverKeyring(cluster.name(), server).write(own.resolve(SERVER_KEYS));
      case TLS -> {
        List<String> hosts = List.of(cluster.endpoint(server).host());
        writeIdentity(own, authority().issueServer(server.index(), hosts, Instant.now()));
      }
      case OPEN -> {}
    }
    Journals.create(SetupFiles.newDirectory(own.resolve(DATA)), cluster.name(), server, common);
  }

  /**
   * With TLS a member of a ring has one certificate. Else they show that they are one server, and
   * dial each other by keys of their own.
   */
  private void writeRingMember(
      ClusterDescription cluster, String member, Endpoint address, ClusterSecrets secrets)
      throws IOException {
    Path own = SetupFiles.newDirectory(directory.resolve(fileName(member)));
    ClusterFile.write(own.resolve(CLUSTER_FILE), cluster);
    SetupFiles.writeText(
        own.resolve(ConfigTexts.COMMON), Files.readString(directory.resolve(ConfigTexts.COMMON)));
    SetupFiles.writeText(
        own.resolve(SERVER_CONFIG), ConfigTexts.ringMember(cluster, member, address));
    if (cluster.security() == SecurityMode.TLS) {
      writeIdentity(own, authority().issueMember(member, Instant.now()));
    } else {
      secrets.serverKeyring(cluster.name(), NettyPeer.SHARED).write(own.resolve(SERVER_KEYS));
      secrets.clientKeyring(cluster, member).write(own.resolve(CLIENT_KEYS));
    }
  }

  private boolean isRingMember(String principal) {
    Path config = directory.resolve(principal).resolve(SERVER_CONFIG);
    return Files.exists(config) && RingMemberConfig.isOne(config);
  }

  /** Adds a member to a ring; its directory has the name of the member. */
  public Changed addRingMember(String member, Endpoint address) {
    return change(
        (before, secrets) -> {
          if (!isRingMember("s0")) {
            throw new CommandException(
                "%s holds a cluster, not a ring; its servers cannot be added to."
                    .formatted(directory));
          }
          if (before.rights().knows(member) || Files.exists(directory.resolve(fileName(member)))) {
            throw new CommandException(
                "The ring knows %s already; choose another name.".formatted(member));
          }
          Grant grant = ClusterPlan.ofRingMember(member);
          ClusterDescription after =
              before.with(
                  SetupFiles.with(before.rights(), member, List.of(grant)), before.epochs());
          writeRingMember(after, member, address, secrets);
          return after;
        });
  }

  /** The configuration of a member that was added. */
  public Path ringMemberConfig(String member) {
    return directory.resolve(fileName(member)).resolve(SERVER_CONFIG);
  }

  private void writeClient(
      ClusterDescription cluster,
      String principal,
      String commonText,
      ClusterSecrets secrets,
      @Nullable SigningKey signingKey)
      throws IOException {
    Path own = SetupFiles.newDirectory(clientDirectory(principal));
    ClusterFile.write(own.resolve(CLUSTER_FILE), asToldTo(principal, cluster));
    if (signingKey != null) {
      KeyFile.write(own.resolve(SIGNING_KEY), signingKey);
      signingKey.close();
    }
    SetupFiles.writeText(own.resolve(ConfigTexts.COMMON), commonText);
    SetupFiles.writeText(own.resolve(CLIENT_CONFIG), ConfigTexts.client(cluster, principal));
    secrets.clientKeyring(cluster, principal).write(own.resolve(CLIENT_KEYS));
    if (cluster.security() == SecurityMode.TLS) {
      writeIdentity(own, authority().issueClient(principal, Instant.now()));
    }
  }

  /**
   * Where seals are signatures it has to know who may say what. Else it needs to know its own
   * rights only, and need not learn who else there is.
   */
  private static ClusterDescription asToldTo(String principal, ClusterDescription cluster) {
    if (!cluster.signingKeys().isEmpty()) {
      return cluster;
    }
    Rights own = Rights.of(cluster.rights().grantsOf(principal), List.of(principal));
    return cluster.with(own, cluster.epochs());
  }

  private CertificateAuthority authority() throws IOException {
    Path secret = directory.resolve(SECRET);
    return CertificateAuthority.read(
        secret.resolve(AUTHORITY), secret.resolve(AUTHORITY_KEY), RANDOM);
  }

  private void writeIdentity(Path own, TlsIdentity identity) throws IOException {
    identity.write(own.resolve(CERTIFICATE), own.resolve(PRIVATE_KEY));
    TlsIdentity.writeCertificate(own.resolve(AUTHORITY), authority().certificate());
  }

  /**
   * Adds a principal, and gives others the keys that they need to check what it seals: keys that
   * they share with it, or its public key.
   */
  public Changed addClient(String principal, List<Grant> grants) {
    String name = fileName(principal);
    return change(
        (before, secrets) -> {
          if (before.rights().knows(principal)) {
            throw new CommandException(
                "The cluster knows %s already; choose another name, or edit the grants in the cluster file."
                    .formatted(principal));
          }
          ClusterDescription after =
              before.with(SetupFiles.with(before.rights(), principal, grants), before.epochs());
          SigningKey signingKey = null;
          if (!before.signingKeys().isEmpty()) {
            signingKey = SigningKey.generate(RANDOM);
            after = after.with(principal, signingKey.verifyingKey());
          }
          String commonText = Files.readString(directory.resolve(ConfigTexts.COMMON));
          writeClient(after, name, commonText, secrets, signingKey);
          return after;
        });
  }

  /**
   * Removes a principal. The keys that it had are used no more: all who share them get new ones, of
   * the next epoch.
   */
  public Changed removeClient(String principal) {
    String name = fileName(principal);
    Changed changed =
        change(
            (before, secrets) -> {
              Rights rights = before.rights();
              if (!rights.knows(principal)) {
                throw new CommandException(
                    "The cluster knows no principal %s; name one of %s."
                        .formatted(principal, String.join(", ", rights.principals())));
              }
              Set<KeyPurpose> known = EnumSet.noneOf(KeyPurpose.class);
              for (KeyPurpose purpose : KeyPurpose.values()) {
                if (!rights.groupsOf(principal, purpose).isEmpty()) {
                  known.add(purpose);
                }
              }
              return before.with(
                  SetupFiles.without(rights, principal), before.epochs().raised(known));
            });
    try {
      DeletedTree.delete(clientDirectory(name));
    } catch (IOException e) {
      throw notWritten(directory, e);
    }
    return changed;
  }

  private interface Change {
    ClusterDescription apply(ClusterDescription before, ClusterSecrets secrets) throws IOException;
  }

  private Changed change(Change change) {
    if (!exists()) {
      throw new CommandException(
          "%s holds no cluster; name the directory that 'testudo init' made.".formatted(directory));
    }
    try (ClusterSecrets secrets = ClusterSecrets.read(directory.resolve(SECRET).resolve(MASTER))) {
      ClusterDescription before = ClusterFile.read(directory.resolve(CLUSTER_FILE));
      ClusterDescription after = change.apply(before, secrets);
      ImmutableList<Path> keys = replaceKeys(before, after, secrets);
      // The cluster file comes last: until then the change can be asked for again.
      return new Changed(replaceClusterFiles(after), keys);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw notWritten(directory, e);
    }
  }

  /**
   * Who may use the cluster has changed.
   *
   * @param clusterFiles those that say so, for servers
   * @param clients directories with new files for principals whose keys are new
   */
  public record Changed(ImmutableList<Path> clusterFiles, ImmutableList<Path> clients) {}

  /** New keys, and cluster files that go with them, for those whose keys have changed. */
  private ImmutableList<Path> replaceKeys(
      ClusterDescription before, ClusterDescription after, ClusterSecrets secrets)
      throws IOException {
    ImmutableList.Builder<Path> changed = ImmutableList.builder();
    for (String known : after.rights().principals()) {
      if (!before.rights().knows(known)) {
        continue; // It has just been given its files.
      }
      boolean hasNewKeys =
          !after.epochs().equals(before.epochs())
              || !after.signingKeys().equals(before.signingKeys());
      for (KeyPurpose purpose : KeyPurpose.values()) {
        hasNewKeys |=
            !before
                .rights()
                .groupsOf(known, purpose)
                .equals(after.rights().groupsOf(known, purpose));
      }
      Path own = isRingMember(known) ? directory.resolve(known) : clientDirectory(known);
      if (hasNewKeys && Files.exists(own)) {
        if (!isRingMember(known) || after.security() == SecurityMode.HMAC) {
          SetupFiles.replace(
              own.resolve(CLIENT_KEYS), next -> secrets.clientKeyring(after, known).write(next));
        }
        ClusterDescription told = isRingMember(known) ? after : asToldTo(known, after);
        SetupFiles.replace(own.resolve(CLUSTER_FILE), next -> ClusterFile.write(next, told));
        changed.add(own);
      }
    }
    return changed.build();
  }

  /** The copies of servers that are still here and the cluster file. */
  private ImmutableList<Path> replaceClusterFiles(ClusterDescription cluster) throws IOException {
    List<Path> places = new ArrayList<>();
    ServerSet.firstN(cluster.servers()).forEach(server -> places.add(serverDirectory(server)));
    for (String principal : cluster.rights().principals()) {
      Path own = directory.resolve(principal);
      if (isRingMember(principal) && !places.contains(own)) {
        places.add(own);
      }
    }
    places.add(directory);
    ImmutableList.Builder<Path> replaced = ImmutableList.builder();
    for (Path place : places) {
      Path file = place.resolve(CLUSTER_FILE);
      if (Files.exists(file)) {
        SetupFiles.replace(file, next -> ClusterFile.write(next, cluster));
        replaced.add(file);
      }
    }
    return replaced.build();
  }

  private static CommandException notWritten(Path directory, IOException e) {
    return new CommandException(
        "The cluster in %s could not be written: %s".formatted(directory, FileTrouble.words(e)), e);
  }
}
