/** The replicated object and the ordering of its operations. */
module io.testudo.ordering {
  requires transitive com.google.common;
  requires transitive com.google.protobuf;
  requires transitive io.testudo.mutex;
  requires static transitive org.jspecify;

  exports io.testudo.ordering;
  exports io.testudo.ordering.client;
  exports io.testudo.ordering.objects;
  exports io.testudo.ordering.protocol;
  exports io.testudo.ordering.sim;

  provides io.testudo.quorum.sim.SimulatedProtocol with
      io.testudo.ordering.sim.OrderingSimulation;
}
