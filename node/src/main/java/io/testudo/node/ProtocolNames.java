package io.testudo.node;

import com.google.common.base.Joiner;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.quorum.sim.SimulatedProtocol;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;

/** The protocols that can be simulated. */
final class ProtocolNames {
  private ProtocolNames() {}

  /** The one of this name; if there is none, the error names those there are. */
  static SimulatedProtocol find(String name) {
    List<String> known = new ArrayList<>();
    List<SimulatedProtocol> all = new ArrayList<>(LockProtocols.ALL.simulations());
    ServiceLoader.load(SimulatedProtocol.class).forEach(all::add);
    for (SimulatedProtocol protocol : all) {
      if (protocol.name().equals(name)) {
        return protocol;
      }
      known.add("%s (%s)".formatted(protocol.name(), protocol.description()));
    }
    known.add(RingOptions.PROTOCOL + " (mutexes over a distributed hash table)");
    Collections.sort(known);
    throw CommandException.usage(
        "There is no protocol %s: choose one of %s.".formatted(name, Joiner.on(", ").join(known)));
  }
}
