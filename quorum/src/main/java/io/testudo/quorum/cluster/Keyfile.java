package io.testudo.quorum.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.testudo.crypto.KeyBundle;
import io.testudo.crypto.SecretBytes;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A bundle of keys as it was read, from which a keyring takes what it needs. */
record Keyfile(Path file, KeyBundle bundle) {

  static Keyfile read(Path file, String kind) throws IOException {
    return new Keyfile(file, KeyBundle.read(file, kind));
  }

  /** Makes the keyring; what is missing in the file or does not fit is told by its name. */
  <T> T make(Supplier<T> keyring) throws ClusterFileException {
    try {
      return keyring.get();
    } catch (IllegalArgumentException e) {
      throw new ClusterFileException(
          "%s is no usable keyring: %s Have the keys made anew.".formatted(file, e.getMessage()),
          e);
    }
  }

  String fact(String name) {
    return present(bundle.facts().get(name), name);
  }

  SecretBytes onlyKey(String name) {
    return present(bundle.keys().get(name), name);
  }

  ServerId server(String text) {
    for (int index = 0; index < ServerId.MAX_SERVERS; index++) {
      ServerId server = new ServerId(index);
      if (server.toString().equals(text)) {
        return server;
      }
    }
    throw new IllegalArgumentException("It names no server as s0 to s63.");
  }

  /** The keys for s0 and those that follow without a gap. */
  ImmutableList<SecretBytes> serverKeys(String namesBefore) {
    ImmutableSortedMap<String, SecretBytes> named = keysUnder(namesBefore);
    ImmutableList.Builder<SecretBytes> keys = ImmutableList.builder();
    for (int index = 0; index < named.size(); index++) {
      String server = "s" + index;
      keys.add(present(named.get(server), server));
    }
    return keys.build();
  }

  /** The keys whose names start so, by the rest of their names. */
  ImmutableSortedMap<String, SecretBytes> keysUnder(String namesBefore) {
    ImmutableSortedMap.Builder<String, SecretBytes> keys =
        new ImmutableSortedMap.Builder<>(Comparator.<String>naturalOrder());
    for (Map.Entry<String, SecretBytes> key : bundle.keys().entrySet()) {
      if (key.getKey().startsWith(namesBefore)) {
        keys.put(key.getKey().substring(namesBefore.length()), key.getValue());
      }
    }
    return keys.buildOrThrow();
  }

  private static <T> T present(@Nullable T value, String name) {
    if (value == null) {
      throw new IllegalArgumentException("It has no '%s'.".formatted(name));
    }
    return value;
  }
}
