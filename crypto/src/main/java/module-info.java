/** Digests, MACs, signatures, seals of ranks and statements, keys. */
module io.testudo.crypto {
  requires transitive com.google.common;
  requires org.bouncycastle.pkix;
  requires org.bouncycastle.provider;
  requires static transitive org.jspecify;

  exports io.testudo.crypto;
}
