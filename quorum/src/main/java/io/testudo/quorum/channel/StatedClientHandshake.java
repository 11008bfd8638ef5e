package io.testudo.quorum.channel;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.ChannelException.Reason;

/** The client's end where the handshake itself proves nothing. */
final class StatedClientHandshake implements Handshake {
  private static final byte[] NO_NONCE = {};

  private final Hello hello;
  private final MessageKind helloKind;
  private final MessageKind welcomeKind;
  private final Turns turns = new Turns();

  StatedClientHandshake(Hello hello, MessageKind helloKind, MessageKind welcomeKind) {
    this.hello = hello;
    this.helloKind = helloKind;
    this.welcomeKind = welcomeKind;
  }

  @Override
  public byte[] begin() {
    return hello.encode(helloKind, NO_NONCE);
  }

  @Override
  public Progress receive(byte[] message) throws ChannelException {
    turns.take();
    MessageReader reader = new MessageReader(message, welcomeKind);
    ServerId answering = reader.server();
    reader.requireEnd();
    if (!answering.equals(hello.server())) {
      throw new ChannelException(
          Reason.WRONG_SERVER,
          "Server %s was dialled, %s answered; correct the addresses in the cluster file."
              .formatted(hello.server(), answering));
    }
    return Progress.clientEstablished(FrameGuard.none());
  }
}
