package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.testudo.crypto.KeyBundle;
import io.testudo.crypto.SecretBytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;

/**
 * What the processes of one principal know: the key shared with each server, and the group keys
 * that seal statements about the names this principal may write.
 */
public final class ClientKeyring {
  /** The most group keys of one principal for one purpose. */
  public static final int MAX_GROUPS = 256;

  private static final String KIND = "client-keys";
  private static final String CLUSTER = "cluster";
  private static final String PRINCIPAL = "principal";
  private static final String SERVER = "server:";
  private static final String EPOCHS = "epochs";
  private static final String GROUP = "group:";

  private final String cluster;
  private final String principal;
  private final ImmutableList<SecretBytes> serverKeys;
  private final KeyEpochs epochs;
  private final Map<KeyPurpose, ImmutableSortedMap<String, SecretBytes>> groupKeys;

  ClientKeyring(
      String cluster,
      String principal,
      ImmutableList<SecretBytes> serverKeys,
      KeyEpochs epochs,
      Map<KeyPurpose, ImmutableSortedMap<String, SecretBytes>> groupKeys) {
    this.cluster = ClusterNames.check(cluster);
    this.principal = new ClientId(principal, 0, 0).principal();
    if (serverKeys.isEmpty() || serverKeys.size() > ServerId.MAX_SERVERS) {
      throw new IllegalArgumentException(
          "A client's keys are for 1 to %s servers; %s were given."
              .formatted(ServerId.MAX_SERVERS, serverKeys.size()));
    }
    for (ImmutableSortedMap<String, SecretBytes> keys : groupKeys.values()) {
      if (keys.size() > MAX_GROUPS) {
        throw new IllegalArgumentException(
            "A client has at most %s group keys for one purpose; grant it fewer prefixes."
                .formatted(MAX_GROUPS));
      }
    }
    this.serverKeys = serverKeys;
    this.epochs = epochs;
    this.groupKeys = Maps.immutableEnumMap(groupKeys);
  }

  /** Reads a principal's keys. */
  public static ClientKeyring read(Path file) throws IOException {
    Keyfile keyfile = Keyfile.read(file, KIND);
    return keyfile.make(
        () ->
            new ClientKeyring(
                keyfile.fact(CLUSTER),
                keyfile.fact(PRINCIPAL),
                keyfile.serverKeys(SERVER),
                KeyEpochs.parse(keyfile.fact(EPOCHS)),
                Maps.toMap(
                    ImmutableList.copyOf(KeyPurpose.values()),
                    purpose -> keyfile.keysUnder(groupsFor(purpose)))));
  }

  private static String groupsFor(KeyPurpose purpose) {
    return GROUP + purpose.purposeName() + ":";
  }

  /** Writes a principal's keys into a new file that only its owner can read. */
  public void write(Path file) throws IOException {
    ImmutableSortedMap.Builder<String, SecretBytes> keys =
        new ImmutableSortedMap.Builder<>(Comparator.<String>naturalOrder());
    for (int index = 0; index < serverKeys.size(); index++) {
      keys.put(SERVER + new ServerId(index), serverKeys.get(index));
    }
    for (KeyPurpose purpose : KeyPurpose.values()) {
      groupKeys(purpose).forEach((prefix, key) -> keys.put(groupsFor(purpose) + prefix, key));
    }
    KeyBundle.write(
        file,
        new KeyBundle(
            KIND,
            ImmutableSortedMap.of(
                CLUSTER, cluster, EPOCHS, epochs.toString(), PRINCIPAL, principal),
            keys.buildOrThrow()));
  }

  /**
   * Refuses keys that are not for this cluster as it is now.
   *
   * @throws IllegalArgumentException with what differs
   */
  public void requireFor(ClusterDescription description) {
    if (!cluster.equals(description.name()) || serverKeys.size() != description.servers()) {
      throw new IllegalArgumentException(
          "The keys are for %s servers of cluster %s, not for the %s of %s; name the right file."
              .formatted(serverKeys.size(), cluster, description.servers(), description.name()));
    }
    if (!epochs.equals(description.epochs())) {
      throw new IllegalArgumentException(
          "The keys of %s are of the epochs '%s', the cluster file says '%s'; bring both files anew."
              .formatted(principal, epochs, description.epochs()));
    }
  }

  public String cluster() {
    return cluster;
  }

  /** The principal whose keys these are. */
  public String principal() {
    return principal;
  }

  /** For how many servers there are keys: s0 and those that follow. */
  public int servers() {
    return serverKeys.size();
  }

  /** The key shared with a server. Belongs to this keyring: don't wipe it. */
  public SecretBytes keyFor(ServerId server) {
    if (server.index() >= serverKeys.size()) {
      throw new IllegalArgumentException(
          "The keys of %s are for %s servers, not for %s; make the client's keys anew."
              .formatted(principal, serverKeys.size(), server));
    }
    return serverKeys.get(server.index());
  }

  /** Group keys for seals by the prefix of the names they are for. Don't wipe them. */
  public ImmutableSortedMap<String, SecretBytes> groupKeys(KeyPurpose purpose) {
    return groupKeys.getOrDefault(purpose, ImmutableSortedMap.of());
  }

  /** Of which epochs the group keys are. */
  public KeyEpochs epochs() {
    return epochs;
  }

  /** Names the owner, never a key. */
  @Override
  public String toString() {
    return "ClientKeyring(%s, %s, %s servers, %s, groups %s)"
        .formatted(
            cluster,
            principal,
            serverKeys.size(),
            epochs,
            Maps.transformValues(groupKeys, ImmutableSortedMap::keySet));
  }
}
