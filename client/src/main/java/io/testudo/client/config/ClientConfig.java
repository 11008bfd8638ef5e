package io.testudo.client.config;

import io.testudo.crypto.KeyFileException;
import io.testudo.crypto.ProtectedFile;
import io.testudo.crypto.SealScheme;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.ordering.access.ObjectClient;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.ClusterDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of one principal are told.
 *
 * @param file where it is from
 * @param timeout how long a command waits for servers unless it is told otherwise
 * @param watched which files it is from, and how often a client looks whether they have changed
 */
public record ClientConfig(
    Path file,
    String principal,
    ClusterDescription cluster,
    CommonSettings common,
    Credentials credentials,
    Duration timeout,
    WatchedFiles watched) {
  /** Names the file where no option does. */
  public static final String VARIABLE = "TESTUDO_CONFIG";

  /** The name of the file where nothing names it. */
  public static final String FILE_NAME = "client.conf";

  private static final Duration STANDARD_TIMEOUT = Duration.ofSeconds(5);

  /** From no files. */
  public ClientConfig(
      Path file,
      String principal,
      ClusterDescription cluster,
      CommonSettings common,
      Credentials credentials,
      Duration timeout) {
    this(file, principal, cluster, common, credentials, timeout, WatchedFiles.NONE);
  }

  /** Reads a client's configuration and the cluster file that it names. */
  public static ClientConfig read(Path file) {
    Settings settings = Settings.read(file);
    return of(settings, settings.cluster());
  }

  /** What settings say of a client of this cluster. */
  public static ClientConfig of(Settings settings, ClusterDescription cluster) {
    CommonSettings common = CommonSettings.of(settings);
    common.check(settings, cluster.servers(), cluster.byzantine());
    common.checkSeals(settings, cluster);
    if (common.seals() == SealScheme.HMAC_SHA256 && settings.has("signing-key")) {
      throw settings.wrong("signing-key", "is not used with 'seals = hmac'; remove it");
    }
    Duration timeout = settings.duration("timeout", STANDARD_TIMEOUT);
    if (timeout.isZero()
        || timeout.isNegative()
        || timeout.compareTo(ObjectClient.MAX_TIMEOUT) > 0) {
      throw settings.wrong("timeout", "must be positive and at most a year; correct it");
    }
    CredentialFiles keys = CredentialFiles.of(settings, "client.keys");
    ClientConfig config =
        new ClientConfig(
            settings.file(),
            principal(settings),
            cluster,
            common,
            keys,
            timeout,
            WatchedFiles.of(settings, keys));
    settings.refuseUnknown();
    return config;
  }

  private static String principal(Settings settings) {
    try {
      return new ClientId(settings.text("principal"), 0, 0).principal();
    } catch (IllegalArgumentException e) {
      throw settings.wrong("principal", "cannot be: " + e.getMessage());
    }
  }

  /**
   * Finds the file: as named, else by the variable, else in the working directory, else in the
   * user's configuration. What is not named must belong to the user or to root.
   */
  public static ClientConfig find(@Nullable Path named, Map<String, String> environment) {
    if (named != null) {
      return read(named);
    }
    String variable = environment.get(VARIABLE);
    if (variable != null && !variable.isEmpty()) {
      return read(Path.of(variable));
    }
    List<Path> places = new ArrayList<>();
    places.add(Path.of(FILE_NAME));
    String home = environment.get("HOME");
    if (home != null) {
      places.add(Path.of(home, ".config", "testudo", FILE_NAME));
    }
    for (Path place : places) {
      if (Files.exists(place)) {
        requireOwn(place);
        return read(place);
      }
    }
    throw new ConfigurationException(
        "No client configuration was found; name it with --config or %s, or make a cluster with 'testudo init' or 'testudo dev'."
            .formatted(VARIABLE));
  }

  /**
   * A file that nobody named is taken only from the user itself, or from root: in a directory of
   * another user it would name that user's servers and keys.
   */
  private static void requireOwn(Path found) {
    try {
      ProtectedFile.requireOwn(found);
    } catch (KeyFileException e) {
      throw new ConfigurationException(
          "%s Name it with --config if you trust it.".formatted(e.getMessage()), e);
    }
  }

  /** Whether locks are served by a ring, which has nothing else; the servers are its entrances. */
  public boolean isRing() {
    return common.lock().ring().isPresent();
  }

  /** The same with keys that were read once: a later use of them asks no file any more. */
  public ClientConfig withKeysRead() {
    return new ClientConfig(
        file, principal, cluster, common, credentials.read(cluster, principal), timeout, watched);
  }

  /** How this client seals the ranks of locks, connected in this session. */
  public RankSeals rankSeals(long session) {
    return common.seals() == SealScheme.ED25519
        ? signatures().ofLocks(session)
        : credentials.seals(cluster, principal);
  }

  private ObjectSeals signatures() {
    return ObjectSeals.signatures(
        cluster.name(),
        credentials.signingKeyOf(cluster, principal).orElse(null),
        credentials.signers(cluster));
  }

  /** How this client seals what it says of objects. */
  public ObjectSeals objectSeals() {
    if (common.objectMode() == Mode.PLAIN) {
      return ObjectSeals.none();
    }
    return common.seals() == SealScheme.ED25519
        ? signatures()
        : credentials
            .keyringOf(cluster, principal)
            .map(keyring -> ObjectSeals.group(keyring))
            .orElseThrow(
                () ->
                    new ConfigurationException(
                        "Objects are sealed in mode '%s', and %s names no 'keys'; add them."
                            .formatted(common.objectMode().need().modeName(), file)));
  }

  /**
   * Refuses what the cluster file does not allow. Servers would not even answer; they decide by
   * their own copy of the file.
   */
  public void require(Right right, String name) {
    if (!cluster.rights().allows(principal, right, name)) {
      throw new ConfigurationException(
          "%s has no right to %s %s; have it granted in the cluster file of every server, and in %s."
              .formatted(
                  principal,
                  right.rightName(),
                  name.isEmpty() ? "all names" : "'" + name + "'",
                  file.resolveSibling("cluster.txt")));
    }
  }
}
