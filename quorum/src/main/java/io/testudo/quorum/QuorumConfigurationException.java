package io.testudo.quorum;

/** A cluster cannot be what its configuration says; the message says what is missing. */
public final class QuorumConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public QuorumConfigurationException(String message) {
    super(message);
  }
}
