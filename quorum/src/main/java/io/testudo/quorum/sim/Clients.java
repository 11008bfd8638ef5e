package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How simulated clients are called, and which node each one is. */
final class Clients {
  private static final String FIRST = "c0";

  private final Map<Integer, String> principals = new HashMap<>();
  private final Map<String, Integer> nodes = new HashMap<>();

  /** Names the nodes behind the servers; behind the clients, the rogues. */
  Clients(int servers, int clients, int rogues) {
    for (int number = 0; number < clients; number++) {
      principals.put(servers + number, "c" + number);
      nodes.put("c" + number, servers + number);
    }
    for (int number = 0; number < rogues; number++) {
      principals.put(servers + clients + number, SimByzantineClient.PRINCIPAL);
      nodes.put(SimByzantineClient.PRINCIPAL, servers + clients + number);
    }
  }

  /** Of a client, in whose name an operator speaks. */
  String anyPrincipal() {
    return FIRST;
  }

  String principal(int node) {
    return known(principals.get(node), node);
  }

  int node(ClientId client) {
    return known(nodes.get(client.principal()), client);
  }

  private static <T> T known(@Nullable T found, Object what) {
    if (found == null) {
      throw new IllegalArgumentException("there is no client " + what);
    }
    return found;
  }
}
