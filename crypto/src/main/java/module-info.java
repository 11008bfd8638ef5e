/** Digests, MACs, signatures, seals of ranks and statements, keys. */
module io.testudo.crypto {
  requires com.google.common;
  requires org.bouncycastle.provider;
  requires static transitive org.jspecify;

  exports io.testudo.crypto;
}
