package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
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
  /** The most group keys of one principal. */
  public static final int MAX_GROUPS = 256;

  private static final String KIND = "client-keys";
  private static final String CLUSTER = "cluster";
  private static final String PRINCIPAL = "principal";
  private static final String SERVER = "server:";
  private static final String GROUP = "group:";

  private final String cluster;
  private final String principal;
  private final ImmutableList<SecretBytes> serverKeys;
  private final ImmutableSortedMap<String, SecretBytes> groupKeys;

  ClientKeyring(
      String cluster,
      String principal,
      ImmutableList<SecretBytes> serverKeys,
      ImmutableSortedMap<String, SecretBytes> groupKeys) {
    this.cluster = ClusterNames.check(cluster);
    this.principal = new ClientId(principal, 0, 0).principal();
    if (serverKeys.isEmpty() || serverKeys.size() > ServerId.MAX_SERVERS) {
      throw new IllegalArgumentException(
          "A client's keys are for 1 to %s servers; %s were given."
              .formatted(ServerId.MAX_SERVERS, serverKeys.size()));
    }
    if (groupKeys.size() > MAX_GROUPS) {
      throw new IllegalArgumentException(
          "A client has at most %s group keys; grant it fewer prefixes.".formatted(MAX_GROUPS));
    }
    this.serverKeys = serverKeys;
    this.groupKeys = groupKeys;
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
                keyfile.keysUnder(GROUP)));
  }

  /** Writes a principal's keys into a new file that only its owner can read. */
  public void write(Path file) throws IOException {
    ImmutableSortedMap.Builder<String, SecretBytes> keys =
        new ImmutableSortedMap.Builder<>(Comparator.<String>naturalOrder());
    for (int index = 0; index < serverKeys.size(); index++) {
      keys.put(SERVER + new ServerId(index), serverKeys.get(index));
    }
    for (Map.Entry<String, SecretBytes> group : groupKeys.entrySet()) {
      keys.put(GROUP + group.getKey(), group.getValue());
    }
    KeyBundle.write(
        file,
        new KeyBundle(
            KIND,
            ImmutableSortedMap.of(CLUSTER, cluster, PRINCIPAL, principal),
            keys.buildOrThrow()));
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
  public ImmutableSortedMap<String, SecretBytes> groupKeys() {
    return groupKeys;
  }

  /** Names the owner, never a key. */
  @Override
  public String toString() {
    return "ClientKeyring(%s, %s, %s servers, groups %s)"
        .formatted(cluster, principal, serverKeys.size(), groupKeys.keySet());
  }
}
