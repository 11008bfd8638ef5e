package io.testudo.quorum.cluster;

import com.google.common.base.CharMatcher;

/**
 * Where a server listens.
 *
 * @param host a name or an address, as written; nothing is looked up here
 */
public record Endpoint(String host, int port) {
  /** The longest host, in characters: that of a name in the DNS. */
  public static final int MAX_HOST_LENGTH = 253;

  /** The highest port. */
  public static final int MAX_PORT = 65_535;

  // The percent sign separates the interface from a local address of IPv6.
  private static final CharMatcher HOST_CHARACTERS =
      CharMatcher.inRange('a', 'z')
          .or(CharMatcher.inRange('A', 'Z'))
          .or(CharMatcher.inRange('0', '9'))
          .or(CharMatcher.anyOf(".-_:%"));

  public Endpoint {
    if (host.isEmpty() || host.length() > MAX_HOST_LENGTH || !HOST_CHARACTERS.matchesAllOf(host)) {
      throw new IllegalArgumentException(
          "A server's host is a name or an IP address of 1 to %s characters, without brackets."
              .formatted(MAX_HOST_LENGTH));
    }
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "A server's port is 1 to %s; %s was given.".formatted(MAX_PORT, port));
    }
  }

  /** As in a URL: an address of IPv6 stands in brackets. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
