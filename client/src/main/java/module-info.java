/** An application's client: locks and replicated objects by a configuration file. */
@SuppressWarnings("module") // The modules above are not there yet when this one is compiled.
module io.testudo.client {
  requires com.google.common;
  requires transitive io.testudo.ordering;
  requires static transitive org.jspecify;
  requires static org.junit.jupiter.api;
  requires org.slf4j;
  requires typesafe.config;

  exports io.testudo.client;
  exports io.testudo.client.junit;
  exports io.testudo.client.recipes;
  exports io.testudo.client.status;
  exports io.testudo.client.cluster to
      io.testudo.node;
  exports io.testudo.client.config to
      io.testudo.node;
  exports io.testudo.client.inquiry to
      io.testudo.node;
}
