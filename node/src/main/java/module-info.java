/** The server daemon and the {@code testudo} command. */
module io.testudo.node {
  requires ch.qos.logback.classic;
  requires ch.qos.logback.core;
  requires com.google.common;
  requires com.google.gson;
  requires java.management;
  requires jdk.unsupported;
  requires org.slf4j;
  requires transitive info.picocli;
  requires transitive io.testudo.client;
  requires static transitive org.jspecify;
  requires typesafe.config;

  opens io.testudo.node to
      com.google.gson,
      info.picocli;
  opens io.testudo.node.advice to
      com.google.gson,
      info.picocli;
  opens io.testudo.node.commands to
      com.google.gson,
      info.picocli;
  opens io.testudo.node.watch to
      com.google.gson;

  uses io.testudo.node.Reproduction;
  uses io.testudo.node.Subcommand;
  uses io.testudo.quorum.sim.SimulatedProtocol;

  provides ch.qos.logback.classic.spi.Configurator with
      io.testudo.node.log.LogbackStart;
  provides io.testudo.node.Subcommand with
      io.testudo.node.SimulateCommand,
      io.testudo.node.advice.AdviseCommand,
      io.testudo.node.commands.ClearCommand,
      io.testudo.node.commands.ClientCommand,
      io.testudo.node.commands.CompletionCommand,
      io.testudo.node.commands.DemoCommand,
      io.testudo.node.commands.DevCommand,
      io.testudo.node.commands.DoctorCommand,
      io.testudo.node.commands.InitCommand,
      io.testudo.node.commands.LockCommand,
      io.testudo.node.commands.LocksCommand,
      io.testudo.node.commands.ObjectCommand,
      io.testudo.node.commands.ReadmitCommand,
      io.testudo.node.commands.RingCommand,
      io.testudo.node.commands.ServerCommand,
      io.testudo.node.commands.StatusCommand;
}
