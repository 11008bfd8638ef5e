package io.testudo.quorum.channel;

import io.testudo.quorum.ServerId;
import java.util.function.Predicate;

/** The server's end where the handshake itself proves nothing. */
final class StatedServerHandshake implements Handshake {
  private static final byte[] NOTHING = {};

  private final String cluster;
  private final ServerId server;
  private final String certified;
  private final Predicate<String> knows;
  private final MessageKind helloKind;
  private final MessageKind welcomeKind;
  private final Turns turns = new Turns();

  /**
   * @param certified the principal of the certificate, where the hello states none
   */
  StatedServerHandshake(
      String cluster,
      ServerId server,
      String certified,
      Predicate<String> knows,
      MessageKind helloKind,
      MessageKind welcomeKind) {
    this.cluster = cluster;
    this.server = server;
    this.certified = certified;
    this.knows = knows;
    this.helloKind = helloKind;
    this.welcomeKind = welcomeKind;
  }

  @Override
  public byte[] begin() {
    return NOTHING;
  }

  @Override
  public Progress receive(byte[] message) throws ChannelException {
    turns.take();
    Hello hello = Hello.decode(new MessageReader(message, helloKind), helloKind, 0, certified);
    hello.requireAddressedTo(cluster, server);
    Principals.requireKnown(hello.principal(), knows);
    byte[] welcome = {welcomeKind.number(), MessageReader.VERSION, (byte) server.index()};
    return Progress.serverEstablished(welcome, FrameGuard.none(), hello);
  }
}
