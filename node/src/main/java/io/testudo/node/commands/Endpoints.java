package io.testudo.node.commands;

import com.google.common.net.HostAndPort;
import io.testudo.quorum.cluster.Endpoint;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Addresses as people write them: host:7001, 127.0.0.1:7001, [::1]:7001. */
public final class Endpoints implements ITypeConverter<Endpoint> {
  /** For picocli. */
  public Endpoints() {}

  @Override
  public Endpoint convert(String text) {
    try {
      HostAndPort parsed = HostAndPort.fromString(text);
      return new Endpoint(parsed.getHost(), parsed.getPort());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new TypeConversionException(
          "'%s' is no address; write it as HOST:PORT".formatted(text));
    }
  }
}
