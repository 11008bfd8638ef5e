/** Quorum systems, the step contract of all protocols, the wire, and the simulator. */
module io.testudo.quorum {
  requires transitive com.google.common;
  requires transitive com.google.protobuf;
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

  exports io.testudo.quorum.channel;
  exports io.testudo.quorum.cluster;
  exports io.testudo.quorum.embedded;
  exports io.testudo.quorum.journal;
  exports io.testudo.quorum.junit;
  exports io.testudo.quorum.netty;
  exports io.testudo.quorum.ping;
  exports io.testudo.quorum.protocol;
  exports io.testudo.quorum.runtime;
  exports io.testudo.quorum.sim.history;
  exports io.testudo.quorum.sim.liar;
  exports io.testudo.quorum.sim;
  exports io.testudo.quorum.spi;
  exports io.testudo.quorum.wire;
  exports io.testudo.quorum;

  provides io.testudo.quorum.sim.SimulatedProtocol with
      io.testudo.quorum.sim.pinging.PingSimulation;
}
