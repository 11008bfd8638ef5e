/** The distributed lock and the protocols behind it. */
@SuppressWarnings("module") // The modules above are not there yet when this one is compiled.
module io.testudo.mutex {
  requires transitive com.google.common;
  requires transitive io.testudo.quorum;
  requires static transitive org.jspecify;

  // For applications.
  exports io.testudo.mutex;

  // For the modules above.
  exports io.testudo.mutex.backoff to
      io.testudo.client,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.mutex.client to
      io.testudo.client,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.mutex.dht to
      io.testudo.node;
  exports io.testudo.mutex.dht.backends to
      io.testudo.node;
  exports io.testudo.mutex.dht.overlay to
      io.testudo.node;
  exports io.testudo.mutex.dht.ring to
      io.testudo.client,
      io.testudo.node;
  exports io.testudo.mutex.dht.sim to
      io.testudo.node;
  exports io.testudo.mutex.lease to
      io.testudo.client,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.mutex.protocol to
      io.testudo.client,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.mutex.registry to
      io.testudo.client,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.mutex.sigma to
      io.testudo.client,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.mutex.sim to
      io.testudo.client,
      io.testudo.node,
      io.testudo.ordering;
}
