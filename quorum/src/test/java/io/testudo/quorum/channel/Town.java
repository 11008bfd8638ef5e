package io.testudo.quorum.channel;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.ServerKeyring;
import java.security.SecureRandom;
import java.util.List;

/** A cluster with its keys, from which tests take the ends of connections. */
final class Town {
  static final String NAME = "town";
  static final int SERVERS = 4;
  static final long SESSION = 77;
  static final ServerId S0 = new ServerId(0);
  static final ServerId S1 = new ServerId(1);

  private final SecureRandom random = new SecureRandom();
  private final ClusterSecrets secrets = ClusterSecrets.create(random);

  SecureRandom random() {
    return random;
  }

  ClusterSecrets secrets() {
    return secrets;
  }

  ServerKeyring keysOf(ServerId server) {
    return secrets.serverKeyring(NAME, server);
  }

  ClientKeyring keysOf(String principal) {
    return secrets.clientKeyring(NAME, principal, SERVERS, List.of());
  }

  Handshake client(String principal, ServerId server) {
    return HmacHandshake.client(keysOf(principal), server, SESSION, random);
  }

  Handshake server(ServerId server) {
    return HmacHandshake.server(keysOf(server), random);
  }

  Conversation talk() throws ChannelException {
    return Conversation.between(client("alice", S0), server(S0));
  }
}
