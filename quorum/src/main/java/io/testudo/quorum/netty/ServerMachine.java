package io.testudo.quorum.netty;

import io.netty.channel.EventLoop;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Host;

/** A server machine on its loop. */
final class ServerMachine implements Attendant {
  private final String name;
  private final Host<ClientId> host;
  private final EventLoop loop;

  ServerMachine(String name, Host<ClientId> host, EventLoop loop) {
    this.name = name;
    this.host = host;
    this.loop = loop;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean handles(Message message) {
    return host.handles(message);
  }

  @Override
  public void receive(ClientId from, Message message) {
    if (loop.inEventLoop()) {
      host.receive(from, message);
    } else {
      loop.execute(() -> host.receive(from, message));
    }
  }

  void start() {
    var unused = Loops.sync(loop.submit(host::start));
  }

  @Override
  public void stop() {
    var unused = Loops.sync(loop.submit(host::stop));
  }

  @Override
  public void stopSoon() {
    if (loop.inEventLoop()) {
      host.stop();
    } else if (!loop.isShuttingDown()) {
      loop.execute(host::stop);
    }
  }

  @Override
  public void prove(Runnable then) {
    loop.execute(() -> host.prove(then));
  }
}
