/** The replicated object and the ordering of its operations. */
@SuppressWarnings("module") // The modules above are not there yet when this one is compiled.
module io.testudo.ordering {
  requires transitive com.google.common;
  requires transitive io.testudo.mutex;
  requires static transitive org.jspecify;

  // For applications.
  exports io.testudo.ordering.objects;
  exports io.testudo.ordering;

  // For the modules above.
  exports io.testudo.ordering.access to
      io.testudo.client,
      io.testudo.node;
  exports io.testudo.ordering.client to
      io.testudo.client,
      io.testudo.node;
  exports io.testudo.ordering.log to
      io.testudo.client,
      io.testudo.node;
  exports io.testudo.ordering.message to
      io.testudo.client,
      io.testudo.node;
  exports io.testudo.ordering.server to
      io.testudo.client,
      io.testudo.node;
  exports io.testudo.ordering.sim to
      io.testudo.client,
      io.testudo.node;
  exports io.testudo.ordering.typed to
      io.testudo.node;

  provides io.testudo.quorum.sim.SimulatedProtocol with
      io.testudo.ordering.sim.OrderingSimulation;
}
