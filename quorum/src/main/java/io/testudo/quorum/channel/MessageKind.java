package io.testudo.quorum.channel;

/** The messages of all handshakes. The numbers are permanent: they are on the wire. */
enum MessageKind {
  HMAC_HELLO(1),
  HMAC_CHALLENGE(2),
  HMAC_PROOF(3),
  OPEN_HELLO(4),
  OPEN_WELCOME(5),
  TLS_HELLO(6),
  TLS_WELCOME(7);

  private final int number;

  MessageKind(int number) {
    this.number = number;
  }

  byte number() {
    return (byte) number;
  }

  static boolean isKnown(byte number) {
    for (MessageKind kind : values()) {
      if (kind.number() == number) {
        return true;
      }
    }
    return false;
  }
}
