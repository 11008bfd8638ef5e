package io.testudo.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that Maven wrote into the jar. */
public final class Version implements IVersionProvider {
  private static final String RESOURCE = "version.properties";

  /** For picocli. */
  public Version() {}

  @Override
  public String[] getVersion() {
    return new String[] {"testudo " + number() + " (Java " + Runtime.version() + ")"};
  }

  /** The number alone. */
  public static String number() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the jar: build it with Maven");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }
}
