/** The server daemon and the {@code testudo} command. */
module io.testudo.node {
  requires com.google.common;
  requires com.google.gson;
  requires transitive info.picocli;
  requires transitive io.testudo.ordering;
  requires static transitive org.jspecify;

  exports io.testudo.node;

  opens io.testudo.node to
      com.google.gson,
      info.picocli;
  opens io.testudo.node.advice to
      com.google.gson,
      info.picocli;

  uses io.testudo.node.Reproduction;
  uses io.testudo.node.Subcommand;
  uses io.testudo.quorum.sim.SimulatedProtocol;

  provides io.testudo.node.Subcommand with
      io.testudo.node.SimulateCommand,
      io.testudo.node.advice.AdviseCommand;
}
