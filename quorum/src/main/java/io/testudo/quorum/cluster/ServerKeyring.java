package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.crypto.Kdf;
import io.testudo.crypto.KeyBundle;
import io.testudo.crypto.SecretBytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What one server knows: a key from which it derives the key it shares with each principal. It
 * tells nothing about the keys of other servers, nor about the keys that seal what clients say.
 */
public final class ServerKeyring {
  private static final String CLIENT_LABEL = "client";
  private static final String KIND = "server-keys";
  private static final String CLUSTER = "cluster";
  private static final String SERVER = "server";
  private static final String KEY = "own";

  private final String cluster;
  private final ServerId server;
  private final SecretBytes key;

  ServerKeyring(String cluster, ServerId server, SecretBytes key) {
    this.cluster = ClusterNames.check(cluster);
    this.server = server;
    this.key = key;
  }

  /** Reads a server's keys. */
  public static ServerKeyring read(Path file) throws IOException {
    Keyfile keyfile = Keyfile.read(file, KIND);
    return keyfile.make(
        () ->
            new ServerKeyring(
                keyfile.fact(CLUSTER), keyfile.server(keyfile.fact(SERVER)), keyfile.onlyKey(KEY)));
  }

  /** Writes a server's keys into a new file that only its owner can read. */
  public void write(Path file) throws IOException {
    KeyBundle.write(
        file,
        new KeyBundle(
            KIND,
            ImmutableSortedMap.of(CLUSTER, cluster, SERVER, server.toString()),
            ImmutableSortedMap.of(KEY, key)));
  }

  public String cluster() {
    return cluster;
  }

  /** The server whose keys these are. */
  public ServerId server() {
    return server;
  }

  /**
   * The key that this server shares with a principal whose keys are of these epochs; the caller
   * wipes it. So a client proves of which epochs its keys are, and old ones are told from new.
   */
  public SecretBytes keyOf(String principal, KeyEpochs epochs) {
    String checked = new ClientId(principal, 0, 0).principal();
    return Kdf.derive(
        key, CLIENT_LABEL, checked.getBytes(StandardCharsets.US_ASCII), epochs.toByteArray());
  }

  /** Names the owner, never the key. */
  @Override
  public String toString() {
    return "ServerKeyring(" + cluster + ", " + server + ")";
  }
}
