package io.testudo.quorum.netty;

/**
 * What went over connections so far, handshakes aside.
 *
 * @param frames each is one length, one code and whatever was sent in one round of the loop
 * @param bytes with lengths and codes, without what TLS and TCP add
 */
public record Traffic(long frames, long messages, long bytes) {
  public Traffic plus(Traffic other) {
    return new Traffic(frames + other.frames, messages + other.messages, bytes + other.bytes);
  }

  public Traffic minus(Traffic other) {
    return new Traffic(frames - other.frames, messages - other.messages, bytes - other.bytes);
  }
}
