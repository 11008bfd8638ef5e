package io.testudo.quorum.netty;

import io.netty.channel.EventLoop;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Host;

/** A server half on its loop. */
final class ServerHalf {
  private final Machine<ClientId> machine;
  private final Host<ClientId> host;
  private final EventLoop loop;

  ServerHalf(Machine<ClientId> machine, Host<ClientId> host, EventLoop loop) {
    this.machine = machine;
    this.host = host;
    this.loop = loop;
  }

  boolean handles(Message message) {
    return machine.handles(message);
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

  boolean isRunning() {
    return host.isRunning();
  }
}
