/** Quorum systems, the step contract of all protocols, the wire, and the simulator. */
module io.testudo.quorum {
  requires com.google.common;
  requires com.google.protobuf;
  requires transitive io.testudo.crypto;
  requires static transitive org.jspecify;

  exports io.testudo.quorum;
}
