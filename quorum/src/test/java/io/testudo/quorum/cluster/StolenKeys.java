package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableList;
import io.testudo.crypto.KeyBundle;
import io.testudo.crypto.SecretBytes;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;

/** What a liar makes out of the files it has: its own keys under the names of others. */
public final class StolenKeys {
  private StolenKeys() {}

  /** The keys in a server's file, claimed to be those of another server. */
  public static ServerKeyring asServer(Path serverFile, ServerId claimed) throws IOException {
    KeyBundle bundle = KeyBundle.read(serverFile, "server-keys");
    SecretBytes own = bundle.keys().values().asList().get(0);
    return new ServerKeyring(bundle.facts().values().asList().get(0), claimed, own);
  }

  /** One key, claimed to be what a principal shares with each server. */
  public static ClientKeyring asClient(
      String cluster, String principal, SecretBytes key, int servers) {
    return asClient(cluster, principal, key, servers, KeyEpochs.FIRST);
  }

  /** As above, claimed to be of these epochs. */
  public static ClientKeyring asClient(
      String cluster, String principal, SecretBytes key, int servers, KeyEpochs epochs) {
    return new ClientKeyring(
        cluster,
        principal,
        ImmutableList.copyOf(Collections.nCopies(servers, key)),
        epochs,
        Map.of());
  }
}
