package io.testudo.quorum.netty;

import io.netty.channel.EventLoop;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Host;

/** A server machine on its loop. */
final class ServerMachine {
  private final String name;
  private final Host<ClientId> host;
  private final EventLoop loop;

  ServerMachine(String name, Host<ClientId> host, EventLoop loop) {
    this.name = name;
    this.host = host;
    this.loop = loop;
  }

  String name() {
    return name;
  }

  boolean handles(Message message) {
    return host.handles(message);
  }

  void receive(ClientId from, Message message) {
    if (loop.inEventLoop()) {
      host.receive(from, message);
    } else {
      loop.execute(() -> host.receive(from, message));
    }
  }

  void start() {
    loop.submit(host::start).syncUninterruptibly();
  }

  void stop() {
    loop.submit(host::stop).syncUninterruptibly();
  }

  /** Without waiting: for one that may be on the loop itself, or whose loop may be dead. */
  void stopSoon() {
    if (loop.inEventLoop()) {
      host.stop();
    } else if (!loop.isShuttingDown()) {
      loop.execute(host::stop);
    }
  }

  /** Runs {@code then} when a task has gone through the loop and a write through the journal. */
  void prove(Runnable then) {
    loop.execute(() -> host.prove(then));
  }
}
