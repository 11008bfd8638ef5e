/** Digests, MACs, signatures, seals of ranks and statements, keys. */
@SuppressWarnings("module") // The modules above are not there yet when this one is compiled.
module io.testudo.crypto {
  requires transitive com.google.common;
  requires org.bouncycastle.pkix;
  requires org.bouncycastle.provider;
  requires static transitive org.jspecify;

  // For the modules above.
  exports io.testudo.crypto to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering,
      io.testudo.quorum;
}
