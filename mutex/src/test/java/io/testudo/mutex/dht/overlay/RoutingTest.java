package io.testudo.mutex.dht.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who is known, and who owns what, while members come and go in any order. */
class RoutingTest {
  @ParameterizedTest
  @EnumSource(Routings.class)
  void aMemberOwnsItsZoneAndItsOwnIdWhoeverComesAndGoes(Routings routings) {
    for (int seed = 0; seed < 300; seed++) {
      Entropy entropy = Entropy.seeded(seed);
      NodeId self = new NodeId(entropy.nextLong());
      Routing routing = routings.of(self);
      List<NodeId> members = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        if (members.size() < 10 || entropy.chance(0.5)) {
          members.add(new NodeId(entropy.nextLong()));
          routing.meet(members.get(members.size() - 1));
        } else {
          routing.forget(members.remove(entropy.nextInt(members.size())));
        }
        assertThat(routing.nextHop(self.bits(), node -> false)).isNull();
        Zone zone = routing.zone();
        assertThat(zone.contains(self.bits())).isTrue();
        assertThat(routing.nextHop(zone.first(), node -> false)).isNull();
        assertThat(routing.nextHop(zone.last(), node -> false)).isNull();
        assertThat(routing.nextHop(zone.last() + 1, node -> false)).isNotNull();
      }
    }
  }
}
