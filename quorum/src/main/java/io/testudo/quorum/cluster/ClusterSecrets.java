package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.Ints;
import io.testudo.crypto.Kdf;
import io.testudo.crypto.KeyFile;
import io.testudo.crypto.SecretBytes;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The master secret of a cluster, from which every key of its hmac mode is derived. It stays with
 * whoever made the cluster; no server and no client needs it.
 */
public final class ClusterSecrets implements AutoCloseable {
  private static final String SERVER_LABEL = "server";
  private static final String GROUP_LABEL = "group";

  private final SecretBytes master;

  private ClusterSecrets(SecretBytes master) {
    this.master = master;
  }

  /** The secrets of a new cluster. */
  public static ClusterSecrets create(SecureRandom random) {
    return new ClusterSecrets(SecretBytes.random(random));
  }

  /** Reads the master secret. */
  public static ClusterSecrets read(Path file) throws IOException {
    return new ClusterSecrets(KeyFile.readSecret(file));
  }

  /** Writes the master secret into a new file that only its owner can read. */
  public void write(Path file) throws IOException {
    KeyFile.write(file, master);
  }

  /** The keys for one server, and for no other. */
  public ServerKeyring serverKeyring(String cluster, ServerId server) {
    return new ServerKeyring(cluster, server, serverKey(server));
  }

  /**
   * The keys for one principal, of a new cluster.
   *
   * @param servers how many servers the cluster has
   * @param groupPrefixes the prefixes of names whose statements it may seal, whatever they are for
   */
  public ClientKeyring clientKeyring(
      String cluster, String principal, int servers, Collection<String> groupPrefixes) {
    return clientKeyring(cluster, principal, servers, KeyEpochs.FIRST, purpose -> groupPrefixes);
  }

  /** The keys for a principal that the cluster knows, with the groups that its rights need. */
  public ClientKeyring clientKeyring(ClusterDescription cluster, String principal) {
    if (!cluster.rights().knows(principal)) {
      throw new IllegalArgumentException(
          "Cluster %s knows no principal %s; add it to the cluster file first."
              .formatted(cluster.name(), principal));
    }
    return clientKeyring(
        cluster.name(),
        principal,
        cluster.servers(),
        cluster.epochs(),
        purpose -> cluster.rights().groupsOf(principal, purpose));
  }

  private ClientKeyring clientKeyring(
      String cluster,
      String principal,
      int servers,
      KeyEpochs epochs,
      Function<KeyPurpose, Collection<String>> prefixes) {
    ImmutableList.Builder<SecretBytes> serverKeys = ImmutableList.builder();
    for (int index = 0; index < servers; index++) {
      serverKeys.add(serverKeyring(cluster, new ServerId(index)).keyOf(principal, epochs));
    }
    Map<KeyPurpose, ImmutableSortedMap<String, SecretBytes>> groupKeys =
        new EnumMap<>(KeyPurpose.class);
    for (KeyPurpose purpose : KeyPurpose.values()) {
      ImmutableSortedMap.Builder<String, SecretBytes> keys =
          new ImmutableSortedMap.Builder<>(Comparator.<String>naturalOrder());
      for (String prefix : prefixes.apply(purpose)) {
        keys.put(prefix, groupKey(purpose, epochs.of(purpose), prefix));
      }
      groupKeys.put(purpose, keys.buildOrThrow());
    }
    return new ClientKeyring(cluster, principal, serverKeys.build(), epochs, groupKeys);
  }

  private SecretBytes groupKey(KeyPurpose purpose, int epoch, String prefix) {
    return Kdf.derive(
        master,
        GROUP_LABEL,
        purpose.purposeName().getBytes(StandardCharsets.UTF_8),
        Ints.toByteArray(epoch),
        prefix.getBytes(StandardCharsets.UTF_8));
  }

  private SecretBytes serverKey(ServerId server) {
    return Kdf.derive(master, SERVER_LABEL, Ints.toByteArray(server.index()));
  }

  /** Wipes the master secret. Keyrings made before go on working. */
  @Override
  public void close() {
    master.close();
  }

  /** Never shows the secret. */
  @Override
  public String toString() {
    return "ClusterSecrets";
  }
}
