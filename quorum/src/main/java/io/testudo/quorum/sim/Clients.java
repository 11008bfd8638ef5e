package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;

/** How simulated clients are called, and which node each one is. */
final class Clients {
  private static final String PREFIX = "c";

  private final int servers;

  Clients(int servers) {
    this.servers = servers;
  }

  String principal(int node) {
    return PREFIX + (node - servers);
  }

  int node(ClientId client) {
    return servers + Integer.parseInt(client.principal().substring(PREFIX.length()));
  }
}
