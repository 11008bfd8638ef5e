package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Session;
import io.testudo.bench.measure.Spread;
import io.testudo.bench.peers.Peer.Ability;
import io.testudo.bench.peers.Peer.Driver;
import io.testudo.bench.peers.Peer.Durability;
import io.testudo.bench.peers.PeerColumn.Cell;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Systems that exist in tests only. */
final class FakePeers {
  private FakePeers() {}

  /** One that {@link FakeDriver} drives. */
  static Peer driven(String name, String... arguments) {
    return new Peer(
        name,
        "a fake",
        1,
        Durability.MEMORY,
        "none",
        "none",
        ImmutableSet.copyOf(Ability.values()),
        new Driver(FakeDriver.class.getName(), ImmutableList.copyOf(arguments), null, null, null));
  }

  /** One to compare with; null as a library makes it Testudo's own. */
  static Peer standing(String name, int servers, Durability durability, @Nullable String library) {
    return new Peer(
        name,
        "a fake",
        servers,
        durability,
        servers > 1 ? "Raft" : "none",
        servers > 1 ? "1 crash" : "none",
        ImmutableSet.of(Ability.LOCK_BLOCKING),
        new Driver("x.Y", ImmutableList.of(), library, null, null));
  }

  static Cell cell(Peer peer, double rate, double p50Micros) {
    return new Cell(
        peer,
        "v1",
        new Result(
            new Nobody(peer.name()),
            3,
            new Spread(rate, rate - 1, rate + 1),
            new Spread(p50Micros, p50Micros, p50Micros),
            new Spread(2 * p50Micros, p50Micros, 3 * p50Micros),
            new Spread(4 * p50Micros, 3 * p50Micros, 5 * p50Micros),
            OptionalDouble.empty()),
        null);
  }

  static Cell failed(Peer peer, String why) {
    return new Cell(peer, "v1", null, why);
  }

  private record Nobody(String system) implements Contestant {
    @Override
    public @Nullable String mode() {
      return null;
    }

    @Override
    public Session open(int clients) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
