package io.testudo.peers.ratis;

import io.testudo.bench.driver.PeerConnection;
import io.testudo.bench.driver.PeerCounter;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerServers;
import io.testudo.bench.driver.PeerSystem;
import io.testudo.bench.driver.PeerWork.Use;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;

/** Apache Ratis over gRPC with three servers. */
public final class RatisDriver {
  private static final int SERVERS = 3;

  private RatisDriver() {}

  /** No arguments. */
  public static void main(String[] args) throws InterruptedException {
    PeerDriver.main(RatisDriver::start);
  }

  private static PeerSystem start(PeerServers servers) throws Exception {
    List<Integer> ports = PeerServers.freePorts(SERVERS);
    for (int i = 0; i < SERVERS; i++) {
      String name = "member-" + i;
      servers.startJava(
          name,
          RatisMember.class.getName(),
          Stream.concat(Stream.of(i, servers.directory(name).resolve("log")), ports.stream())
              .map(String::valueOf)
              .toArray(String[]::new));
    }
    for (int port : ports) {
      servers.awaitPort(port);
    }
    Servers group = new Servers(ports);
    try (PeerConnection first = group.connect(0)) {
      long unused = first.counter("first", Use.BLOCKING).increment(); // There is a leader now.
    }
    return group;
  }

  private record Servers(List<Integer> ports) implements PeerSystem {
    @Override
    public String version() {
      return "Apache Ratis " + PeerServers.versionOf(RaftClient.class);
    }

    @Override
    public PeerConnection connect(int index) {
      return new Client(
          RaftClient.newBuilder()
              .setProperties(new RaftProperties())
              .setRaftGroup(RatisMember.group(ports))
              .build());
    }

    @Override
    public void close() {}
  }

  private record Client(RaftClient client) implements PeerConnection {
    @Override
    public PeerCounter counter(String name, Use use) {
      return new Count(client, Message.valueOf(name));
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }

  private record Count(RaftClient client, Message name) implements PeerCounter {
    @Override
    public long increment() throws IOException {
      return number(client.io().send(name));
    }

    @Override
    public long get() throws IOException {
      return number(client.io().sendReadOnly(name));
    }

    @Override
    public CompletionStage<Long> incrementAsync() {
      return client.async().send(name).thenApply(Count::number);
    }

    private static long number(RaftClientReply reply) {
      if (!reply.isSuccess()) {
        throw new IllegalStateException("not done: " + reply.getException());
      }
      return Long.parseLong(reply.getMessage().getContent().toStringUtf8());
    }
  }
}
