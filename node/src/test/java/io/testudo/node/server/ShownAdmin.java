package io.testudo.node.server;

import io.testudo.node.OneCommand;
import io.testudo.node.config.RingMemberConfig;
import io.testudo.node.local.FreePorts;
import io.testudo.quorum.cluster.Endpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The admin address of a server, or of a member that is a ring by itself. */
public final class ShownAdmin implements AutoCloseable {
  private final AdminEndpoint endpoint;
  private final @Nullable RingDaemon member;

  private ShownAdmin(AdminEndpoint endpoint, @Nullable RingDaemon member) {
    this.endpoint = endpoint;
    this.member = member;
  }

  public static ShownAdmin of(ServerNode server) {
    return new ShownAdmin(AdminEndpoint.start(free(), server), null);
  }

  /** Founds a ring in a directory. */
  public static ShownAdmin ofRing(Path ring) {
    OneCommand made =
        OneCommand.run(
            "init",
            ring.toString(),
            "--backend",
            "zone",
            "-b",
            "0",
            "--servers",
            free().toString());
    if (made.code() != 0) {
      throw new AssertionError(made.err());
    }
    RingMemberConfig config = RingMemberConfig.read(ring.resolve("s0/server.conf"));
    RingDaemon member = RingDaemon.open(config, /* founds= */ true, List.of());
    return new ShownAdmin(AdminEndpoint.start(free(), member), member);
  }

  private static Endpoint free() {
    return new Endpoint("127.0.0.1", FreePorts.find(1).get(0));
  }

  /** What it exports. */
  String metrics() {
    return Metrics.of(Objects.requireNonNull(member));
  }

  /** Where the page is. */
  public String url() {
    return "http:/" + endpoint.address() + "/";
  }

  @Override
  public void close() {
    endpoint.close();
    if (member != null) {
      member.close();
    }
  }
}
