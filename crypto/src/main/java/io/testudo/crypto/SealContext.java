package io.testudo.crypto;

/**
 * What a seal covers besides the body: a statement of one kind about one name in one cluster. A
 * seal never verifies in another context.
 *
 * <p>Cluster and name are compared byte by byte in UTF-8: two spellings that merely look the same
 * are two names.
 *
 * @param kind what the body says
 * @param cluster the name of the cluster
 * @param name the name of the lock or object
 */
public record SealContext(SealKind kind, String cluster, String name) {
  /** The longest cluster name, in bytes of UTF-8. */
  public static final int MAX_CLUSTER_BYTES = 128;

  /** The longest name of a lock or object, in bytes of UTF-8. */
  public static final int MAX_NAME_BYTES = 512;

  /** Checks both names, so that sealing can't fail on them later. */
  public SealContext {
    StrictUtf8.check(cluster, "cluster name", MAX_CLUSTER_BYTES);
    StrictUtf8.check(name, "name of the lock or object", MAX_NAME_BYTES);
  }
}
