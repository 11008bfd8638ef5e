package io.testudo.quorum.channel;

import io.testudo.quorum.ClientId;

/**
 * The client at the other end of a server's connection.
 *
 * @param principal who it is, as proven by the channel
 * @param session which start of the process it is, as stated by the client
 */
public record PeerClient(String principal, long session) {
  public PeerClient {
    // A client id is the judge of what a principal may look like.
    ClientId checked = new ClientId(principal, session, 0);
    principal = checked.principal();
  }

  /** One of the contenders in that process. */
  public ClientId client(long handle) {
    return new ClientId(principal, session, handle);
  }
}
