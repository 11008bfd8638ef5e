/** Quorum systems, the step contract of all protocols, the wire, and the simulator. */
@SuppressWarnings("module") // The modules above are not there yet when this one is compiled.
module io.testudo.quorum {
  requires transitive com.google.common;
  requires transitive io.testudo.crypto;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires java.management;
  requires org.slf4j;
  requires static transitive org.jspecify;
  requires static org.junit.jupiter.api;

  // For applications.
  exports io.testudo.quorum;

  // For the modules above.
  exports io.testudo.quorum.channel to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.cluster to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.embedded to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.journal to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.junit to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.netty to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.ping to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.protocol to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.runtime to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.sim to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.sim.history to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.sim.byzantine to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.spi to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;
  exports io.testudo.quorum.wire to
      io.testudo.client,
      io.testudo.mutex,
      io.testudo.node,
      io.testudo.ordering;

  provides io.testudo.quorum.sim.SimulatedProtocol with
      io.testudo.quorum.sim.pinging.PingSimulation;
}
