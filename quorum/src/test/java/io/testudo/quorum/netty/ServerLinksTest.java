package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** Who has to go when too many have not shown who they are: two of an address, or three of all. */
class ServerLinksTest {
  private static final String HERE = "192.0.2.1";
  private static final String THERE = "192.0.2.2";

  private final ServerLinks links = new ServerLinks(LinkLimits.standard().withConnections(3, 2, 1));
  private final Channel first = new EmbeddedChannel();
  private final Channel second = new EmbeddedChannel();
  private final Channel third = new EmbeddedChannel();
  private final Channel fourth = new EmbeddedChannel();

  @Test
  void theOldestStrangerOfAnAddressMakesWayForANewcomer() {
    assertThat(links.arrived(first, THERE)).isNull();
    assertThat(links.arrived(second, HERE)).isNull();
    assertThat(links.arrived(third, HERE)).isNull();

    assertThat(links.arrived(fourth, HERE)).isSameAs(second);
    assertThat(links.arrived(second, HERE)).isSameAs(third);
  }

  @Test
  void theOldestOfAllStrangersMakesWayForANewcomer() {
    assertThat(links.arrived(first, HERE)).isNull();
    assertThat(links.arrived(second, HERE)).isNull();
    assertThat(links.arrived(third, THERE)).isNull();

    assertThat(links.arrived(fourth, THERE)).isSameAs(first);
  }

  @Test
  void nobodyMakesWayWhereAStrangerHasLeft() {
    assertThat(links.arrived(first, HERE)).isNull();
    assertThat(links.arrived(second, HERE)).isNull();
    links.left(first);

    assertThat(links.arrived(third, HERE)).isNull();
    assertThat(links.arrived(fourth, HERE)).isSameAs(second);
  }
}
