/** The distributed lock and the protocols behind it. */
module io.testudo.mutex {
  requires transitive com.google.common;
  requires transitive com.google.protobuf;
  requires transitive io.testudo.quorum;
  requires static transitive org.jspecify;

  exports io.testudo.mutex;
  exports io.testudo.mutex.backoff;
  exports io.testudo.mutex.client;
  exports io.testudo.mutex.lease;
  exports io.testudo.mutex.protocol;
  exports io.testudo.mutex.registry;
  exports io.testudo.mutex.sigma;
  exports io.testudo.mutex.sim;
}
