package io.testudo.quorum;

/**
 * A configuration cannot be used. The message is one sentence for the user: it names the file and
 * the setting, and says what to do.
 */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConfigurationException(String message) {
    super(message);
  }

  public ConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
